/** What a client's conditions are compared with. */
export interface Validators {
  /** A strong entity tag with its quotes. */
  etag: string;
  /** Milliseconds since the epoch; the header has whole seconds, so two states of one resource must lie in different seconds. */
  lastModified: number;
}

export type Precondition = 'proceed' | 'not_modified' | 'failed';

/** Evaluates the conditions of a GET or HEAD in the order of RFC 9110 §13.2.2. */
export function evaluatePreconditions(headers: Headers, { etag, lastModified }: Validators): Precondition {
  const seconds = Math.floor(lastModified / 1000);
  const ifMatch = headers.get('If-Match');
  if (ifMatch !== null) {
    if (!listsTag(ifMatch, etag, 'strong')) return 'failed';
  } else {
    const unmodifiedSince = parseHttpDate(headers.get('If-Unmodified-Since'));
    if (unmodifiedSince !== null && seconds > unmodifiedSince) return 'failed';
  }
  const ifNoneMatch = headers.get('If-None-Match');
  if (ifNoneMatch !== null) return listsTag(ifNoneMatch, etag, 'weak') ? 'not_modified' : 'proceed';
  const modifiedSince = parseHttpDate(headers.get('If-Modified-Since'));
  return modifiedSince !== null && seconds <= modifiedSince ? 'not_modified' : 'proceed';
}

/** May the `Range` header be obeyed? Without `If-Range` yes; with it only when it names this very state (RFC 9110 §13.1.5). */
export function rangeApplies(headers: Headers, { etag, lastModified }: Validators): boolean {
  const ifRange = headers.get('If-Range')?.trim();
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"') || ifRange.startsWith('W/')) return ifRange === etag;
  return parseHttpDate(ifRange) === Math.floor(lastModified / 1000);
}

/** Strong: both tags strong and equal. Weak: equal but for `W/` (RFC 9110 §8.8.3.2). */
function listsTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  for (const [, weak, tag] of list.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g)) {
    if (tag === etag && (comparison === 'weak' || weak === undefined)) return true;
  }
  return false;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)';
const MONTH = `(?<month>${MONTHS.join('|')})`;
/** IMF-fixdate and the two obsolete forms, which a recipient must accept (RFC 9110 §5.6.7). */
const DATE_FORMS = [
  new RegExp(`^\\w{3}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^\\w{6,9}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^\\w{3} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** An HTTP-date as seconds since the epoch; null when there is none or it is not valid, so that its header is ignored. */
export function parseHttpDate(text: string | null | undefined): number | null {
  if (!text) return null;
  for (const form of DATE_FORMS) {
    const found = form.exec(text.trim())?.groups;
    if (!found) continue;
    const part = (name: string) => Number(found[name]);
    const ms = Date.UTC(
      fullYear(part('year')),
      MONTHS.indexOf(found.month ?? ''),
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return Number.isNaN(ms) ? null : ms / 1000;
  }
  return null;
}

/** Two digits that seem more than 50 years ahead mean the past (RFC 9110 §5.6.7). */
function fullYear(year: number): number {
  return year >= 100 ? year : year + (year < 70 ? 2000 : 1900);
}

/** `milliseconds` as an IMF-fixdate. */
export function httpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}
