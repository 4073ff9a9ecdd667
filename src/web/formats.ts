const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size in binary units (IEC 80000-13). */
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

/** Returns the percentage of `part` in `whole` with one digit; 100 if `whole` is 0. */
export const percentOf = (part: number, whole: number) =>
  whole === 0 ? 100 : Math.round((part / whole) * 1000) / 10;

export const formatNumber = (value: number) => value.toLocaleString();

/** Formats a count with its noun: “1 file”, “3 files”. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a time in full, in the reader's zone. */
export const formatExact = (iso: string) => exact.format(new Date(iso));

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });
/** Formats the local time in an ISO time, without regard to its offset: the time that a camera showed. */
export const formatLocal = (iso: string) => local.format(new Date(`${iso.slice(0, 19)}Z`));

/** Formats near times relative to `now`, others as a date. */
export function formatTime(iso: string, now: number): string {
  const distance = new Date(iso).getTime() - now;
  const absolute = Math.abs(distance);
  if (absolute < 45_000) return relative.format(0, 'second');
  if (absolute < HOUR) return relative.format(Math.round(distance / MINUTE), 'minute');
  if (absolute < DAY) return relative.format(Math.round(distance / HOUR), 'hour');
  if (absolute < 7 * DAY) return relative.format(Math.round(distance / DAY), 'day');
  return absolute < 180 * DAY ? dayAndTime.format(new Date(iso)) : day.format(new Date(iso));
}

/** Formats the days until a time, the last one included: “7 days left”. */
export function formatDaysLeft(iso: string, now: number): string {
  const days = Math.ceil((new Date(iso).getTime() - now) / DAY);
  return days > 1 ? `${formatNumber(days)} days left` : 'less than a day left';
}

/** As on the page of a shared file (`storage/routes/share-page/formats.ts`). */
const named: Record<string, string> = {
  'application/gzip': 'GZIP archive',
  'application/msword': 'Word document',
  'application/octet-stream': 'File',
  'application/pdf': 'PDF',
  'application/vnd.ms-excel': 'Excel spreadsheet',
  'application/vnd.ms-powerpoint': 'PowerPoint presentation',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument presentation',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument spreadsheet',
  'application/vnd.oasis.opendocument.text': 'OpenDocument text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel spreadsheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/x-7z-compressed': '7-Zip archive',
  'application/zip': 'ZIP archive',
  'audio/mpeg': 'MP3 audio',
  'text/csv': 'CSV table',
  'text/markdown': 'Markdown',
  'text/plain': 'Text',
  'video/quicktime': 'QuickTime video',
  'video/x-matroska': 'Matroska video',
};

/** A short name for a media type: `image/png` → PNG image. */
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
  const families: Record<string, string> = {
    image: 'image',
    video: 'video',
    audio: 'audio',
    text: 'text',
    font: 'font',
  };
  return families[family] ? `${short.toUpperCase()} ${families[family]}` : short.toUpperCase();
}
