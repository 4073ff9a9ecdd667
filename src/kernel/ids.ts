/** Returns a UUIDv7 in lower case (RFC 9562 §5.7). Ids created by one process sort by age. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Returns a random token of `bytes` random bytes (default 24, 192 bits), in base64url without padding. */
export function newToken(bytes = 24): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');
}
