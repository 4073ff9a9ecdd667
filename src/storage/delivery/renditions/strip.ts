import { MB } from '../../../kernel/bytes.ts';
import type { Log } from '../../../kernel/log.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Blobs } from '../../blobs/port.ts';
import { chunksOf } from '../../blobs/stream.ts';
import type { StoredFile } from '../../tree/files/file.ts';
import { NoRendition } from './decoder.ts';
import { canStrip, WHOLE } from './formats.ts';
import { createPictureDecoders } from './picture-decoders.ts';

/** A picture without metadata. */
export interface StrippedPicture {
  bytes: Uint8Array;
  /** The name of the file, with the extension of its format. */
  name: string;
}

/**
 * Returns a full-size copy of a picture, upright, without location, camera and other metadata. PNG and WebP keep their
 * format; the others become JPEG. Pictures of several pages or frames are refused.
 * @param owner the caller, for fairness
 * @throws Problem 422 `not_a_picture`, 413 `file_too_large`; 429 and 503 when too many wait
 */
export type StripPicture = (file: StoredFile, owner: string) => Promise<StrippedPicture>;

const QUEUE = { children: 2, waiting: 32, waitingEach: 4, waitMs: 30_000 };
/** Maximum size of a copy in bytes. */
const OUTPUT = 64 * MB;
const EXTENSIONS: Record<string, RegExp> = { png: /\.a?png$/i, webp: /\.webp$/i, jpg: /\.jpe?g$/i };

export function createStripPicture(blobs: Pick<Blobs, 'read'>, log: Log): StripPicture {
  // A caller may copy pictures of several owners, so each copy has its own process.
  const decoders = createPictureDecoders({
    ...QUEUE,
    name: 'copies of pictures',
    log,
    output: OUTPUT,
    jobs: 1,
  });
  return async (file, owner) => {
    if (!canStrip(file.mimeType)) throw notAPicture();
    try {
      const picture = { mimeType: file.mimeType, size: file.sizeBytes, chunks: chunksOf(blobs, file), owner };
      const { value, blobs: [bytes] = [] } = await decoders.decode(picture, [WHOLE]);
      if (bytes?.length) return { bytes, name: named(file.originalName, value) };
    } catch (error) {
      if (!(error instanceof NoRendition)) throw error;
    }
    throw notAPicture();
  };
}

const notAPicture = () =>
  new Problem('not_a_picture', 'This file is not a picture that can be copied without its metadata.');

/** @param value what the child wrote: the format; it decodes hostile pictures */
function named(name: string, value: unknown): string {
  const ending = value === 'png' || value === 'webp' ? value : 'jpg';
  return EXTENSIONS[ending]?.test(name) ? name : `${name.replace(/\.[^.]{1,5}$/, '')}.${ending}`;
}
