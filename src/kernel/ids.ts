/** Returns a UUIDv7 in lower case (RFC 9562 §5.7). Ids created by one process sort by age. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

/** Returns a UUIDv7 with a time of the database, so that ids created by several nodes sort by age. */
export function newIdAt(ms: number): string {
  return Bun.randomUUIDv7('hex', ms);
}

/** Returns the smallest id that `newIdAt` could return at `ms`, to compare ids with a time. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isId(text: string): boolean {
  return UUID.test(text);
}

/** Returns a random token of `bytes` random bytes (default 24, 192 bits), in base64url without padding. */
export function newToken(bytes = 24): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url');
}
