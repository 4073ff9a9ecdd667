/**
 * The program that reads untrusted audio and video: `child.ts MEMORY SIZE PART` reads a file of SIZE bytes, or the
 * first and the last PART bytes, from standard input, and writes a frame with its facts. It exits with status 2
 * and a reason when it cannot be read. Each file has its own process, which has no secrets, can open no other file and
 * no connection, and may crash.
 */
import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  type InputVideoTrack,
  MATROSKA,
  type MetadataTags,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { confine } from '../../../../kernel/compute/confine.ts';
import { frameOf } from '../../../../kernel/compute/frames.ts';
import { type MediaFacts, NO_FACTS } from '../../../tree/file.ts';
import { cameraOf, takenFacts } from '../exif.ts';

const UNUSABLE = 2;
/** Not those that consist of addresses of others. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS];
const [memory = 0, size = 0, part = 0] = process.argv.slice(2).map(Number);
const bytes = await Bun.stdin.bytes();

confine(memory);

/** @throws Error for bytes that were not passed */
function read(start: number, end: number): Uint8Array {
  if (bytes.length === size || end <= part) return bytes.subarray(start, end);
  const missing = size - bytes.length;
  if (start < part + missing) throw new Error('the middle of the file is not read');
  return bytes.subarray(start - missing, end - missing);
}

async function readFacts(): Promise<MediaFacts> {
  const input = new Input({ formats: FORMATS, source: new CustomSource({ getSize: () => size, read }) });
  const video = await input.getPrimaryVideoTrack();
  // MPEG-TS and ADTS files state no duration; it is computed from all packets.
  const seconds =
    (await input.getDurationFromMetadata()) ?? (await input.computeDuration().catch(() => null));
  const tags = await input.getMetadataTags().catch(() => ({}));
  return {
    ...NO_FACTS,
    ...(await sizeOf(video)),
    ...takenOf(tags),
    durationMs: seconds && Number.isFinite(seconds) ? Math.round(seconds * 1_000) || null : null,
  };
}

async function sizeOf(video: InputVideoTrack | null) {
  const [width = 0, height = 0] = video
    ? [await video.getDisplayWidth(), await video.getDisplayHeight()]
    : [];
  return width && height ? { width, height } : { width: null, height: null };
}

/** QuickTime File Format, metadata keys: telephones state when and with what a video was taken. */
function takenOf({ raw = {} }: MetadataTags) {
  const key = (name: string) => raw[`com.apple.quicktime.${name}`];
  const [, local = '', offset = ''] = /^(.{19})(.*)$/.exec(String(key('creationdate'))) ?? [];
  return {
    ...takenFacts(Date.parse(`${local}Z`), offset),
    camera: cameraOf({ Make: key('make'), Model: key('model') }),
  };
}

try {
  for (const piece of frameOf({ value: await readFacts() })) await Bun.write(Bun.stdout, piece);
  process.exit(0);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : 'unknown');
  process.exit(UNUSABLE);
}
