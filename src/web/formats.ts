const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as people read it; 1 KB = 1024 bytes, like the limits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: digits })} ${UNITS[unit]}`;
}

/** How much of the whole a part is, in percent with one digit; everything of nothing. */
export const percentOf = (part: number, whole: number) => (whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10);

export const formatNumber = (value: number) => value.toLocaleString();

/** 3 files, 1 file. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The moment with everything, in the reader's zone. */
export const formatExact = (iso: string) => exact.format(new Date(iso));

/** Near times by their distance from `now`, others by their date. */
export function formatTime(iso: string, now: number): string {
  const distance = new Date(iso).getTime() - now;
  const far = Math.abs(distance);
  if (far < 45_000) return relative.format(0, 'second');
  if (far < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute');
  if (far < DAY) return relative.format(Math.round(distance / HOUR), 'hour');
  if (far < 7 * DAY) return relative.format(Math.round(distance / DAY), 'day');
  return far < 180 * DAY ? moment.format(new Date(iso)) : day.format(new Date(iso));
}

const named: Record<string, string> = {
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'application/octet-stream': 'File',
  'text/plain': 'Text',
};

/** A media type in a word: `image/png` → PNG image. */
export function formatType(mimeType: string): string {
  const known = named[mimeType];
  if (known) return known;
  const [family = '', kind = ''] = mimeType.split('/');
  const short =
    kind
      .replace(/^(x-|vnd\.)/, '')
      .replace(/\+.*$/, '')
      .split('.')
      .at(-1) ?? kind;
  const families: Record<string, string> = { image: 'image', video: 'video', audio: 'audio', text: 'text', font: 'font' };
  return families[family] ? `${short.toUpperCase()} ${families[family]}` : short.toUpperCase();
}
