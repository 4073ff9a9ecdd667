import { MB } from '../../../../kernel/bytes.ts';
import type { Log } from '../../../../kernel/log.ts';
import { programFile } from '../../../../kernel/program-files.ts';
import type { Blobs } from '../../../blobs/port.ts';
import { chunksOf } from '../../../blobs/stream.ts';
import type { MediaFacts } from '../../../tree/files/file.ts';
import type { ClaimedPicture } from '../claims.ts';
import { createDecoder, type DecodedFile, NoRendition } from '../decoder.ts';
import { mediaFacts } from '../facts.ts';

/** Maximum size of a file that is read as a whole. Larger ones are read at both ends only, where the tables are. */
const WHOLE_BYTES = 32 * MB;
const PART_BYTES = 8 * MB;
const CHILD = programFile('storage/delivery/renditions/media/child');
const MEMORY = 512 * MB;
const OUTPUT = 10_000;
/** Enough that a burst of files of a few members starts few processes. */
const CHILDREN = 3;
const IDLE_MS = 5_000;
const FILES = 32;

type Reader = Pick<Blobs, 'read'>;

type PlayedFile = Pick<ClaimedPicture, 'blobKey' | 'sizeBytes' | 'owner'> & Pick<DecodedFile, 'mayContinue'>;

/** Reads audio and video files in child processes. */
export interface MediaReader {
  /**
   * Reads the facts in a file.
   * @throws NoRendition when it is damaged or of an unknown format; BlobMissing; JobInterrupted
   */
  read(file: PlayedFile): Promise<MediaFacts>;
  /** Kills the children. */
  stop(): void;
}

export function createMediaReader(blobs: Reader, log: Log): MediaReader {
  const decoder = createDecoder({
    name: 'media',
    log,
    program: CHILD,
    memory: MEMORY,
    output: OUTPUT,
    children: CHILDREN,
    idleMs: IDLE_MS,
    jobs: FILES,
    shares: null,
  });
  return {
    async read(file) {
      const { sizeBytes, owner, mayContinue } = file;
      const ranges = rangesOf(sizeBytes);
      const size = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
      const job = { size: sizeBytes, part: PART_BYTES };
      const { value } = await decoder.decode(owner, job, { size, chunks: partsOf(), mayContinue });
      const facts = mediaFacts.safeParse(value);
      if (facts.success) return facts.data;
      throw new NoRendition('the decoder wrote no facts');

      async function* partsOf() {
        for (const range of ranges) yield* chunksOf(blobs, file, range);
      }
    },
    stop: decoder.stop,
  };
}

/** Returns the ranges of a file of `size` bytes that are read. */
function rangesOf(size: number) {
  if (size <= WHOLE_BYTES) return [{ start: 0, end: size }];
  return [
    { start: 0, end: PART_BYTES },
    { start: size - PART_BYTES, end: size },
  ];
}
