import { type Clock, systemClock } from '../clock.ts';

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
  for (const [, weak, tag] of list.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g)) {
    if (tag === etag && (comparison === 'weak' || weak === undefined)) return true;
  }
  return false;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const YEAR = '(?<year>[1-9]\\d{3})';
/** A second of 60 is a leap second. */
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
/** IMF-fixdate and the two obsolete forms, which a recipient must accept (RFC 9110 §5.6.7). */
const DATE_FORMS = [
  new RegExp(`^\\w{3}, (?<day>\\d\\d) ${MONTH} ${YEAR} ${TIME} GMT$`),
  new RegExp(`^\\w{6,9}, (?<day>\\d\\d)-${MONTH}-(?<digits>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^\\w{3} ${MONTH} (?<day>[ \\d]\\d) ${TIME} ${YEAR}$`),
];

/**
 * Returns an HTTP-date as seconds since the epoch; null when there is none or it is invalid, so that its header is
 * ignored (RFC 9110 §13.1.3, §13.1.4).
 */
export function parseHttpDate(text: string | null | undefined, clock: Clock = systemClock): number | null {
  for (const form of DATE_FORMS) {
    const found = form.exec(text?.trim() ?? '')?.groups;
    if (!found) continue;
    const field = (name: string) => Number(found[name]);
    const month = MONTHS.indexOf(found.month ?? '');
    const at = (year: number) =>
      Date.UTC(year, month, field('day'), field('hour'), field('minute'), field('second'));
    const year = found.digits ? nearestYear(field('digits'), at, clock) : field('year');
    // Date.UTC accepts 31 February as a day in March.
    const isDay = new Date(Date.UTC(year, month, field('day'))).getUTCMonth() === month;
    return isDay ? at(year) / 1000 : null;
  }
  return null;
}

/** The latest year with these last two digits whose date is at most 50 years in the future (RFC 9110 §5.6.7). */
function nearestYear(digits: number, at: (year: number) => number, clock: Clock): number {
  const latest = new Date(clock.now());
  latest.setUTCFullYear(latest.getUTCFullYear() + 50);
  const year = latest.getUTCFullYear() - (latest.getUTCFullYear() % 100) + digits;
  return at(year) > latest.getTime() ? year - 100 : year;
}

/** Returns `milliseconds` since the epoch as an IMF-fixdate. */
export function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}
