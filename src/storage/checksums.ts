/** What is known of bytes that went by. */
export interface Sums {
  /** Base64. */
  sha256: string;
  /** CRC-32 of ISO 3309 (as in ZIP and PNG), unsigned. */
  crc32: number;
}

/** Sums of bytes as they come. */
export interface Checksums {
  update(bytes: Uint8Array): void;
  /** Ends the work. Call once. */
  tell(): Promise<Sums>;
  /** Ends the work without an answer. */
  drop(): void;
}

/** Computes on the spot: for few bytes. */
export function createInlineChecksums(): Checksums {
  const sha256 = new Bun.CryptoHasher('sha256');
  let crc32 = 0;
  return {
    update(bytes) {
      sha256.update(bytes);
      crc32 = Bun.hash.crc32(bytes, crc32);
    },
    tell: async () => ({ sha256: sha256.digest('base64'), crc32 }),
    drop() {},
  };
}
