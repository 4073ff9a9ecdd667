import { readableSize } from '../text/readable-size.ts';
import { readableType } from '../text/readable-type.ts';
import { LANGUAGE } from './language.ts';
import { texts } from './texts.ts';

/** The reader's variant of the language, such as `en-GB`: dates and numbers differ by country. */
const LOCALE =
  globalThis.navigator?.languages?.find((tag) => tag.split('-')[0] === LANGUAGE && isLocale(tag)) ?? LANGUAGE;

/** Reports whether `Intl` accepts a tag: Chromium reports `en-US@posix` where the system sets no language. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Formats a size in binary units. */
export const formatBytes = (bytes: number) => readableSize(bytes, LOCALE);

/** Returns the percentage of `part` in `whole` with one digit; 100 if `whole` is 0. */
export const percentOf = (part: number, whole: number) =>
  whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10;

export const formatNumber = (value: number) => value.toLocaleString(LOCALE);

const conjunction = new Intl.ListFormat(LOCALE);

/** Joins items: “a, b and c”. */
export const formatList = (items: readonly string[]) => conjunction.format(items);

const plurals = new Intl.PluralRules(LANGUAGE);

/** Formats a count with its noun: “1 file”, “3 files”. */
export function countOf(count: number, noun: keyof typeof texts.nouns): string {
  const { one, other } = texts.nouns[noun];
  return `${formatNumber(count)} ${plurals.select(count) === 'one' ? one : other}`;
}

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const hour = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
/** Formats an hour of recent days, with its weekday. @param ms since the epoch */
export const formatHour = (ms: number) => hour.format(new Date(ms));

/** Formats a time in full, in the reader's time zone. */
export const formatExact = (iso: string) => exact.format(new Date(iso));

const local = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
/** Formats an ISO time and ignores its offset: the time on the clock of a camera. */
export const formatLocal = (iso: string) => local.format(new Date(`${iso.slice(0, 19)}Z`));

const localDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
/** Formats the day of an ISO time and ignores its offset. */
export const formatLocalDay = (iso: string) => localDay.format(new Date(`${iso.slice(0, 19)}Z`));

const monthAndYear = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
/** Formats a month such as `2019-07`. */
export const formatMonth = (month: string) => monthAndYear.format(new Date(`${month}-01T00:00:00Z`));

/** Formats a time less than a week from `now` as relative, others as a date, with its year unless that is current. */
export function formatTime(iso: string, now: number): string {
  const distance = new Date(iso).getTime() - now;
  const absolute = Math.abs(distance);
  if (absolute < 45_000) return relative.format(0, 'second');
  if (absolute < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute');
  if (absolute < DAY) return relative.format(Math.round(distance / HOUR), 'hour');
  if (absolute < 7 * DAY) return relative.format(Math.round(distance / DAY), 'day');
  const isNear = absolute < 180 * DAY && new Date(iso).getFullYear() === new Date(now).getFullYear();
  return isNear ? dayAndTime.format(new Date(iso)) : day.format(new Date(iso));
}

/** Formats the days until a time, rounded up: “7 days left”. */
export function formatDaysLeft(iso: string, now: number): string {
  const days = Math.ceil((new Date(iso).getTime() - now) / DAY);
  return days > 1 ? texts.daysLeft(formatNumber(days)) : texts.lessThanADayLeft;
}

/** Formats a media type, such as `image/png` as `PNG image`. */
export const formatType = (mimeType: string) => readableType(mimeType, texts.typeNames);

/** Formats a duration as `1:02:03` or `2:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => String(part).padStart(index ? 2 : 1, '0')).join(':');
}
