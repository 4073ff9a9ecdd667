import { type Clock, systemClock } from '../../clock.ts';
import { parseHttpDate } from './http-date.ts';

/** Validators of the selected representation (RFC 9110 §8.8), which conditions are compared with. */
export interface Validators {
  /** A strong entity tag with its quotes. */
  etag: string;
  /**
   * Milliseconds since the epoch; null = no date, so that conditions on dates are ignored. The header has whole
   * seconds, so two states of one resource must be a second apart.
   */
  lastModified: number | null;
}

export type Precondition = 'proceed' | 'not_modified' | 'failed';

/** Evaluates the conditions of a GET or HEAD in the order of RFC 9110 §13.2.2. */
export function evaluatePreconditions(
  headers: Headers,
  { etag, lastModified }: Validators,
  clock: Clock = systemClock,
): Precondition {
  /** Compares the modification date with a header's date; null when either is missing or the header is invalid. */
  const isNewerThan = (name: string): boolean | null => {
    const text = headers.get(name);
    const date = text === null ? null : parseHttpDate(text, clock);
    return date === null || lastModified === null ? null : Math.floor(lastModified / 1000) > date;
  };
  const ifMatch = headers.get('If-Match');
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, etag, 'strong')) return 'failed';
  } else if (isNewerThan('If-Unmodified-Since') === true) return 'failed';
  const ifNoneMatch = headers.get('If-None-Match');
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, etag, 'weak') ? 'not_modified' : 'proceed';
  return isNewerThan('If-Modified-Since') === false ? 'not_modified' : 'proceed';
}

/**
 * Reports whether the `Range` header applies: without `If-Range` always, with it only when it names this very state
 * (RFC 9110 §13.1.5).
 */
export function rangeApplies(
  headers: Headers,
  { etag, lastModified }: Validators,
  clock: Clock = systemClock,
): boolean {
  const ifRange = headers.get('If-Range');
  if (ifRange === null || ifRange === etag) return true;
  return lastModified !== null && parseHttpDate(ifRange, clock) === Math.floor(lastModified / 1000);
}

/**
 * Reports whether `list` has the tag. Strong: both are strong and equal; weak: equal without `W/` (RFC 9110
 * §8.8.3.2).
 */
function listsTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list === '*') return true;
  // Reading a list of thousands of tags takes milliseconds.
  if (!list.includes(etag)) return false;
  for (const [, weak, tag] of list.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g)) {
    if (tag === etag && (comparison === 'weak' || weak === undefined)) return true;
  }
  return false;
}
