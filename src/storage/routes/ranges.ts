import type { ByteRange } from '../../kernel/content.ts';

/** Result of a `Range` header: the whole representation, one range of it, or a range outside it. */
export type RequestedRange = 'whole' | 'unsatisfiable' | ByteRange;

/** One range of bytes: `first-`, `first-last` or `-suffix`. Empty elements of a list are ignored (§5.6.1.2). */
const ONE_RANGE = /^\s*bytes\s*=[\s,]*(?:(\d+)-(\d*)|-(\d+))[\s,]*$/i;

/**
 * Parses a `Range` header (RFC 9110 §14.2) for a representation of `size` bytes. An end past the last byte is clamped.
 * Several ranges, other units and invalid values are ignored, as §14.2 allows.
 */
export function parseRange(header: string | null | undefined, size: number): RequestedRange {
  const [, first, last = '', suffix] = ONE_RANGE.exec(header ?? '') ?? [];
  if (suffix !== undefined) return suffixRange(Number(suffix), size);
  const start = Number(first);
  if (first === undefined || (last !== '' && Number(last) < start)) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

function suffixRange(length: number, size: number): RequestedRange {
  if (length === 0) return 'unsatisfiable';
  // A suffix of an empty representation is all of it, which a 206 cannot express.
  return size === 0 ? 'whole' : { start: Math.max(0, size - length), end: size };
}

/** Returns the `Content-Range` of a 206 (RFC 9110 §14.4). */
export function contentRange({ start, end }: ByteRange, size: number): string {
  return `bytes ${start}-${end - 1}/${size}`;
}
