import { programFile } from '../../../../kernel/program-files.ts';
import type { Blobs } from '../../../blobs/port.ts';
import { streamOf } from '../../../blobs/stream.ts';
import type { MediaFacts } from '../../../tree/file.ts';
import { decode, NoRendition } from '../decoder.ts';
import { mediaFacts } from '../facts.ts';

const MB = 1024 ** 2;
/** Of a larger file, only the begin and the end are read: containers have their tables there. */
const WHOLE_BYTES = 32 * MB;
const PART_BYTES = 8 * MB;
const CHILD = programFile('storage/delivery/renditions/media/child');
const MEMORY = 512 * MB;
const MS = 25_000;
const FRAME_BYTES = 10_000;

type Reader = Pick<Blobs, 'read'>;

/**
 * Reads what an audio or video file states about itself, in a child process.
 * @throws NoRendition when it is damaged or of an unknown format; BlobMissing
 */
export async function readMedia(blobs: Reader, key: string, size: number): Promise<MediaFacts> {
  const decoder = { program: CHILD, args: [MEMORY, size, PART_BYTES], ms: MS, bytes: FRAME_BYTES, frames: 1 };
  for await (const { value } of decode(partsOf(blobs, key, size), decoder)) {
    const facts = mediaFacts.safeParse(value);
    if (facts.success) return facts.data;
  }
  throw new NoRendition('the decoder wrote no facts');
}

async function* partsOf(blobs: Reader, key: string, size: number): AsyncGenerator<Uint8Array> {
  const ranges =
    size <= WHOLE_BYTES
      ? [{ start: 0, end: size }]
      : [
          { start: 0, end: PART_BYTES },
          { start: size - PART_BYTES, end: size },
        ];
  for (const range of ranges) {
    yield* streamOf(await blobs.read(key, size, range));
  }
}
