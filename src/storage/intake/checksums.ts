export interface Sums {
  /** Base64. */
  sha256: string;
  /** CRC-32 of ISO 3309 (as in ZIP and PNG), unsigned. */
  crc32: number;
}

/** Computes checksums of a sequence of bytes. */
export interface Checksums {
  update(bytes: Uint8Array): void;
  /** Ends the computation and returns the sums. Call once. */
  finish(): Promise<Sums>;
  /** Ends the computation without a result. */
  drop(): void;
}

/** Computes on the calling thread: for few bytes. */
export function createInlineChecksums(): Checksums {
  const sha256 = new Bun.CryptoHasher('sha256');
  let crc32 = 0;
  return {
    update(bytes) {
      sha256.update(bytes);
      crc32 = Bun.hash.crc32(bytes, crc32);
    },
    finish: async () => ({ sha256: sha256.digest('base64'), crc32 }),
    drop() {},
  };
}
