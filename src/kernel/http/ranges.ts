/** Bytes from `start` up to, but not with, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What a `Range` header asks of a representation: all of it, one part of it, or nothing that it has. */
export type RangeAsked = 'whole' | 'unsatisfiable' | ByteRange;

/**
 * Reads a `Range` header (RFC 9110 §14.2) for a representation of `size` bytes. One range is served, an end past the last
 * byte is clamped; several ranges, another unit and what does not parse are ignored, as §14.2 allows.
 */
export function parseRange(header: string | null | undefined, size: number): RangeAsked {
  const [unit = '', set = '', ...more] = (header ?? '').split('=');
  if (unit.trim().toLowerCase() !== 'bytes' || more.length > 0) return 'whole';
  // Empty elements of a list are ignored (§5.6.1.2).
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter(Boolean);
  const [, first, last, suffix] = (specs.length === 1 && /^(?:(\d+)-(\d*)|-(\d+))$/.exec(specs[0] ?? '')) || [];
  if (suffix !== undefined) {
    if (Number(suffix) === 0) return 'unsatisfiable';
    // The last bytes of nothing are all of it, for which a 206 has no words.
    return size === 0 ? 'whole' : { start: Math.max(0, size - Number(suffix)), end: size };
  }
  if (first === undefined) return 'whole';
  const start = Number(first);
  if (last && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last ? Math.min(Number(last) + 1, size) : size };
}

/** The `Content-Range` of a 206 (RFC 9110 §14.4). */
export function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}
