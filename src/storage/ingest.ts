import { Problem } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';
import type { Blobs } from './blobs/port.ts';
import { type Checksums, createInlineChecksums } from './checksums.ts';
import type { Content } from './file.ts';
import type { Garbage } from './garbage.ts';
import type { Hasher } from './hashing/hasher.ts';
import { detectMediaType, SAMPLE_BYTES, type TypeHint } from './media-type.ts';

/** The bytes of one file on their way in. Nothing of it is seen by anybody before its row is committed. */
export interface Intake {
  /**
   * Takes the next bytes. Wait for the promise, where there is one, before giving more or changing them.
   * @throws Problem 413 `file_too_large`, 507 `quota_exceeded` as soon as the bytes are too many; abort it then
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Makes the blob durable and says what it is. Abort it when its row is not written after all. */
  finish(hint: TypeHint): Promise<Content>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

interface IngestParts {
  blobs: Blobs;
  /** The largest file. */
  fileBytes: number;
  hasher: Hasher;
  garbage: Garbage;
}

/** Below this, telling another thread costs more than the sums. */
const WORTH_ANOTHER_CORE = 4_194_304;

export type Ingest = ReturnType<typeof createIngest>;

/** Brings bytes in: counts, hashes and looks at them in one pass, while they go to the blob store. */
export function createIngest({ blobs, fileBytes, hasher, garbage }: IngestParts) {
  return {
    /** @throws Problem 413 `file_too_large` for a size that is known beforehand */
    requireSize(bytes: number): void {
      if (bytes > fileBytes) throw tooLarge(fileBytes);
    },

    /**
     * @param expectedBytes roughly how many will come; 0 = not known
     * @param freeBytes tells how many bytes the workspace has room for; asked again before a refusal
     */
    begin(expectedBytes: number, freeBytes: () => Promise<number>, room: number): Intake {
      const key = newId();
      const blob = blobs.create(key);
      const sums: Checksums = blob.file && expectedBytes >= WORTH_ANOTHER_CORE ? hasher.behind(blob.file) : createInlineChecksums();
      const sample: Uint8Array[] = [];
      let sampled = 0;
      let size = 0;
      let fits = room;
      let committing: Promise<void> | undefined;
      const end = garbage.begin();

      const pass = (bytes: Uint8Array): Promise<void> | undefined => {
        if (sampled < SAMPLE_BYTES) {
          // A copy: what came may be a small part of something large.
          const start = Buffer.from(bytes.subarray(0, SAMPLE_BYTES - sampled));
          sample.push(start);
          sampled += start.byteLength;
        }
        sums.update(bytes);
        garbage.note(bytes.byteLength);
        return blob.write(bytes);
      };

      return {
        write(bytes) {
          size += bytes.byteLength;
          if (size > fileBytes) throw tooLarge(fileBytes);
          if (size <= fits) return pass(bytes);
          // Something may have been deleted meanwhile.
          return freeBytes().then((free) => {
            fits = free;
            if (size > fits) throw new Problem('quota_exceeded', 'The workspace has not enough space left for this file.');
            return pass(bytes);
          });
        },
        async finish(hint) {
          end();
          committing = blob.commit();
          const [{ sha256, crc32 }, mimeType] = await Promise.all([sums.tell(), detectMediaType(Buffer.concat(sample), hint), committing]);
          return { blobKey: key, sizeBytes: size, mimeType, sha256, crc32 };
        },
        async abort() {
          end();
          sums.drop();
          const isCommitted = await committing?.then(
            () => true,
            () => false,
          );
          if (isCommitted) await blobs.delete(key);
          else await blob.abort();
        },
      };
    },
  };
}

function tooLarge(limit: number): Problem {
  return new Problem('file_too_large', `A file may have ${limit} bytes at most.`);
}
