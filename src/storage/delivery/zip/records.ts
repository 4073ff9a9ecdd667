/**
 * The records of a ZIP file with stored members, after PKWARE's APPNOTE 6.3.10 (section numbers below are its own) and,
 * for the extended timestamp, Info-ZIP's `extrafld.txt`. CRC-32 and sizes are known beforehand, so no member needs a
 * data descriptor (§4.3.9), and the size of every record depends on its own fields only.
 */

/** One member. A path that ends in `/` is a folder, without bytes. */
export interface ZipEntry {
  /** Segments from `archiveNames`, joined by `/`. */
  path: string;
  /** Bytes. */
  size: number;
  /** Unsigned. */
  crc32: number;
  /** Milliseconds since the Unix epoch. */
  modified: number;
}

/** §4.4.8, §4.4.9, §4.4.16: a field with this value refers to the ZIP64 extra field, so it cannot be a value. */
export const FOUR_BYTES_FULL = 0xffff_ffff;
/** §4.4.21, §4.4.22. */
const TWO_BYTES_FULL = 0xffff;
/** §4.4.10: a path's length is a field of two bytes. */
export const MAX_PATH_BYTES = 0xffff;

/** §4.4.4, bit 11: path and comment are UTF-8. */
const UTF8_FLAG = 1 << 11;
/** §4.4.2: UNIX, and version 4.5 of the specification. */
const MADE_BY = (3 << 8) | 45;
/** §4.4.15: on UNIX the upper half is the file's mode; the lower byte has the folder's bit of MS-DOS. */
const FILE_MODE = (0o100644 << 16) >>> 0;
const FOLDER_MODE = (0o040755 << 16) | 0x10;

const ZIP64_FIELD = 0x0001;
const TIMESTAMP_FIELD = 0x5455;
const LOCAL_FIXED = 30;
const CENTRAL_FIXED = 46;
const TIMESTAMP_SIZE = 9;
const LOCAL_ZIP64_SIZE = 20;

const isFolder = (entry: ZipEntry) => entry.path.endsWith('/');
const hasLargeSize = (entry: ZipEntry) => entry.size >= FOUR_BYTES_FULL;
const hasLargeOffset = (offset: number) => offset >= FOUR_BYTES_FULL;

/** Bytes of the local file header (§4.3.7). @param pathBytes length of the path in UTF-8 */
export function localHeaderSize(entry: ZipEntry, pathBytes: number): number {
  return LOCAL_FIXED + pathBytes + (hasLargeSize(entry) ? LOCAL_ZIP64_SIZE : 0) + timestampSize(entry);
}

/** Bytes of the central directory header of a member whose local header is at `offset` (§4.3.12). */
export function centralHeaderSize(entry: ZipEntry, offset: number, pathBytes: number): number {
  return CENTRAL_FIXED + pathBytes + centralZip64Size(entry, offset) + timestampSize(entry);
}

export function localHeader(entry: ZipEntry, offset: number): Buffer {
  const path = Buffer.from(entry.path, 'utf8');
  const record = Buffer.alloc(localHeaderSize(entry, path.length));
  const large = hasLargeSize(entry);
  record.writeUInt32LE(0x04034b50, 0);
  writeCommonFields(record, 4, entry, offset);
  record.writeUInt16LE(path.length, 26);
  record.writeUInt16LE(record.length - LOCAL_FIXED - path.length, 28);
  path.copy(record, LOCAL_FIXED);
  let at = LOCAL_FIXED + path.length;
  // §4.5.3: the local header must contain both sizes, in this order.
  if (large) at = writeZip64(record, at, [entry.size, entry.size]);
  writeTimestamp(record, at, entry);
  return record;
}

export function centralHeader(entry: ZipEntry, offset: number): Buffer {
  const path = Buffer.from(entry.path, 'utf8');
  const record = Buffer.alloc(centralHeaderSize(entry, offset, path.length));
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(MADE_BY, 4);
  writeCommonFields(record, 6, entry, offset);
  record.writeUInt16LE(path.length, 28);
  record.writeUInt16LE(record.length - CENTRAL_FIXED - path.length, 30);
  record.writeUInt32LE(isFolder(entry) ? FOLDER_MODE : FILE_MODE, 38);
  record.writeUInt32LE(Math.min(offset, FOUR_BYTES_FULL), 42);
  path.copy(record, CENTRAL_FIXED);
  let at = CENTRAL_FIXED + path.length;
  const large = [
    ...(hasLargeSize(entry) ? [entry.size, entry.size] : []),
    ...(hasLargeOffset(offset) ? [offset] : []),
  ];
  if (large.length > 0) at = writeZip64(record, at, large);
  writeTimestamp(record, at, entry);
  return record;
}

/**
 * Returns the records after the central directory: §4.3.14 and §4.3.15 if a classic limit is exceeded, then
 * §4.3.16.
 */
export function endRecords(count: number, directoryOffset: number, directorySize: number): Buffer {
  const classic = Buffer.alloc(22);
  classic.writeUInt32LE(0x06054b50, 0);
  const shownCount = Math.min(count, TWO_BYTES_FULL);
  classic.writeUInt16LE(shownCount, 8);
  classic.writeUInt16LE(shownCount, 10);
  classic.writeUInt32LE(Math.min(directorySize, FOUR_BYTES_FULL), 12);
  classic.writeUInt32LE(Math.min(directoryOffset, FOUR_BYTES_FULL), 16);
  if (count < TWO_BYTES_FULL && directorySize < FOUR_BYTES_FULL && directoryOffset < FOUR_BYTES_FULL)
    return classic;

  const zip64 = Buffer.alloc(56);
  zip64.writeUInt32LE(0x06064b50, 0);
  // §4.3.14.1: the size excludes this field and the signature.
  writeUInt64(zip64, zip64.length - 12, 4);
  zip64.writeUInt16LE(MADE_BY, 12);
  zip64.writeUInt16LE(45, 14);
  writeUInt64(zip64, count, 24);
  writeUInt64(zip64, count, 32);
  writeUInt64(zip64, directorySize, 40);
  writeUInt64(zip64, directoryOffset, 48);

  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  writeUInt64(locator, directoryOffset + directorySize, 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([zip64, locator, classic]);
}

/** From "version needed to extract" to "uncompressed size": the same fields in both headers (§4.3.7, §4.3.12). */
function writeCommonFields(record: Buffer, at: number, entry: ZipEntry, offset: number): void {
  const { date, time } = dosTime(entry.modified);
  const size = Math.min(entry.size, FOUR_BYTES_FULL);
  record.writeUInt16LE(versionNeeded(entry, offset), at);
  record.writeUInt16LE(UTF8_FLAG, at + 2);
  // The compression method (§4.4.5) is 0: stored.
  record.writeUInt16LE(time, at + 6);
  record.writeUInt16LE(date, at + 8);
  record.writeUInt32LE(entry.crc32, at + 10);
  record.writeUInt32LE(size, at + 14);
  record.writeUInt32LE(size, at + 18);
}

/** §4.4.3.2 */
function versionNeeded(entry: ZipEntry, offset: number): number {
  if (hasLargeSize(entry) || hasLargeOffset(offset)) return 45;
  return isFolder(entry) ? 20 : 10;
}

/** §4.5.3: only fields whose classic counterparts are full, in the order of the header. */
function centralZip64Size(entry: ZipEntry, offset: number): number {
  const fields = (hasLargeSize(entry) ? 2 : 0) + (hasLargeOffset(offset) ? 1 : 0);
  return fields === 0 ? 0 : 4 + 8 * fields;
}

function writeZip64(record: Buffer, at: number, values: readonly number[]): number {
  record.writeUInt16LE(ZIP64_FIELD, at);
  record.writeUInt16LE(8 * values.length, at + 2);
  values.forEach((value, index) => {
    writeUInt64(record, value, at + 4 + 8 * index);
  });
  return at + 4 + 8 * values.length;
}

/**
 * The extended timestamp has four signed bytes of seconds; later times are in the DOS fields only, which reach
 * 2107.
 */
function timestampSize(entry: ZipEntry): number {
  const seconds = Math.floor(entry.modified / 1000);
  return seconds >= -0x8000_0000 && seconds <= 0x7fff_ffff ? TIMESTAMP_SIZE : 0;
}

function writeTimestamp(record: Buffer, at: number, entry: ZipEntry): void {
  if (timestampSize(entry) === 0) return;
  record.writeUInt16LE(TIMESTAMP_FIELD, at);
  record.writeUInt16LE(5, at + 2);
  record.writeUInt8(1, at + 4);
  record.writeInt32LE(Math.floor(entry.modified / 1000), at + 5);
}

const DOS_FIRST = Date.UTC(1980, 0, 1);
const DOS_LAST = Date.UTC(2107, 11, 31, 23, 59, 59);

/**
 * §4.4.6. The format defines no time zone; UTC makes the archive the same everywhere. The extended timestamp
 * is exact.
 */
function dosTime(milliseconds: number): { date: number; time: number } {
  const moment = new Date(Math.min(Math.max(milliseconds, DOS_FIRST), DOS_LAST));
  return {
    date: ((moment.getUTCFullYear() - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
  };
}

function writeUInt64(record: Buffer, value: number, at: number): void {
  record.writeBigUInt64LE(BigInt(value), at);
}
