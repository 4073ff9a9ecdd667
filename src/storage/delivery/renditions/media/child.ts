/**
 * The program that reads untrusted audio and video. A job consists of the size of a file and its bytes: all of them, or
 * only the first and the last `part`. Its result is the facts of the file. All files of a process have one owner; the
 * process has no secrets, cannot open other files or connections, and may crash.
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
import { serveJobs } from '../../../../kernel/compute/child.ts';
import { type MediaFacts, NO_FACTS } from '../../../tree/files/file.ts';
import { cameraOf, parseLocalTime, takenFacts } from '../exif.ts';

/** Without playlists, which refer to other files. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS];

interface MediaFile {
  /** The bytes that were passed. */
  bytes: Uint8Array;
  /** Size of the whole file. */
  size: number;
  part: number;
}

/** @throws Error for bytes that were not passed */
function read({ bytes, size, part }: MediaFile, start: number, end: number): Uint8Array {
  if (bytes.length === size || end <= part) return bytes.subarray(start, end);
  const missing = size - bytes.length;
  if (start < part + missing) throw new Error('the middle of the file is not read');
  return bytes.subarray(start - missing, end - missing);
}

async function readFacts(file: MediaFile): Promise<MediaFacts> {
  const source = new CustomSource({ getSize: () => file.size, read: (start, end) => read(file, start, end) });
  const input = new Input({ formats: FORMATS, source });
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

/** QuickTime File Format, metadata keys: phones record when and with which device a video was taken. */
function takenOf({ raw = {} }: MetadataTags) {
  const key = (name: string) => raw[`com.apple.quicktime.${name}`];
  const [, local = '', offset = ''] = /^(.{19})(.*)$/.exec(String(key('creationdate'))) ?? [];
  return {
    ...takenFacts(parseLocalTime(local), offset),
    camera: cameraOf({ Make: key('make'), Model: key('model') }),
  };
}

await serveJobs(() => async ({ value, blobs: [bytes = new Uint8Array()] = [] }) => ({
  value: await readFacts({ ...(value as Pick<MediaFile, 'size' | 'part'>), bytes }),
}));
