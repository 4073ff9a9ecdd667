import exifReader from 'exif-reader';
import type { Metadata } from 'sharp';
import { type MediaFacts, NO_FACTS } from '../../tree/files/file.ts';
import { EARLIEST_DATE, LATEST_DATE, MAX_CAMERA_LENGTH } from './formats.ts';

/** Times that a clock shows if it was never set: the epochs of QuickTime, Unix and DOS, and that of some cameras. */
const CLOCK_STARTS: ReadonlySet<number> = new Set([1904, 1970, 1980, 2000].map((year) => Date.UTC(year)));

/** Returns the facts in the header of a picture. */
export function factsOf({ autoOrient: { width, height }, exif }: Metadata): MediaFacts {
  return { ...NO_FACTS, width, height, ...exifFacts(exif) };
}

type ExifFacts = Pick<MediaFacts, 'takenAt' | 'takenOffset' | 'camera'>;

function exifFacts(exif: Buffer | undefined): ExifFacts {
  if (!exif) return { takenAt: null, takenOffset: null, camera: null };
  try {
    const { Image: image, Photo: photo } = exifReader(exif);
    // DateTime is the time of the last change.
    const taken = photo?.DateTimeOriginal ?? photo?.DateTimeDigitized;
    const takenAt = taken instanceof Date && isRecorded(taken, exif) ? taken.getTime() : Number.NaN;
    return { ...takenFacts(takenAt, photo?.OffsetTimeOriginal), camera: cameraOf(image) };
  } catch {
    return exifFacts(undefined);
  }
}

/**
 * Reports whether the metadata contains a time: the reader converts a day that does not exist, such as 31 February, to
 * another.
 */
function isRecorded(time: Date, exif: Buffer): boolean {
  const [, day = '', clock = ''] = /^(.*)T(.*)\./.exec(time.toISOString()) ?? [];
  return exif.includes(`${day.replaceAll('-', ':')} ${clock}`);
}

/** Parses `2019-07-04T12:34:56` as UTC; NaN for other texts, and for days that do not exist. */
export function parseLocalTime(text: string): number {
  const time = new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) || time.toISOString() !== `${text}.000Z` ? Number.NaN : time.getTime();
}

/** @param offset of the local time */
export function takenFacts(takenAt: number, offset: unknown): Pick<MediaFacts, 'takenAt' | 'takenOffset'> {
  const isKnown = takenAt >= EARLIEST_DATE && takenAt < LATEST_DATE && !CLOCK_STARTS.has(takenAt);
  return isKnown ? { takenAt, takenOffset: offsetOf(offset) } : { takenAt: null, takenOffset: null };
}

/** Parses `+02:00` (Exif 3.0 §4.6.6.6), or `+0200`, in minutes. */
function offsetOf(text: unknown): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?([0-5]\d)$/.exec(plain(text)) ?? [];
  if (!sign || Number(hours) > 15) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Returns maker and model; many model names begin with the maker. */
export function cameraOf(image: { Make?: unknown; Model?: unknown } | undefined): string | null {
  const make = plain(image?.Make);
  const model = plain(image?.Model);
  const camera = model.toLowerCase().startsWith(make.toLowerCase()) ? model : `${make} ${model}`;
  return camera.trim().slice(0, MAX_CAMERA_LENGTH).trim() || null;
}

function plain(value: unknown): string {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return typeof text === 'string' ? text.replace(/\p{C}/gu, '').trim() : '';
}
