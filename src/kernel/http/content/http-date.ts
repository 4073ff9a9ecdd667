import { type Clock, systemClock } from '../../clock.ts';

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
