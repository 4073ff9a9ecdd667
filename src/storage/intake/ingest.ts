import { MB } from '../../kernel/bytes.ts';
import { storageFull } from '../../kernel/errors/storage-full.ts';
import { newId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Blobs } from '../blobs/port.ts';
import type { StoredContent } from '../tree/files/file.ts';
import { type Checksums, createInlineChecksums } from './checksums.ts';
import type { Garbage } from './garbage.ts';
import type { Hasher } from './hashing/hasher.ts';
import { detectMediaType, SAMPLE_BYTES, type TypeHint } from './media-type.ts';

/** The incoming bytes of one file, which is invisible until its row is committed. */
export interface Intake {
  /**
   * Takes the next bytes. Wait for the returned promise, if any, before passing more bytes or changing these.
   * @throws Problem 413 `file_too_large`, 507 `quota_exceeded` as soon as the bytes are too many; abort then
   */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** Makes the blob durable and returns its properties. Abort when its row is not written. */
  finish(hint: TypeHint): Promise<StoredContent>;
  /** Deletes everything. Bytes that are passed or admitted later are dropped. */
  abort(): Promise<void>;
}

interface IngestDeps {
  blobs: Blobs;
  /** Maximum size of a file. */
  fileBytes: number;
  hasher: Hasher;
  garbage: Garbage;
}

/** Minimum size to hash in another thread; below this, messages to the thread cost more than the sums. */
const WORTH_ANOTHER_CORE = 4 * MB;

/** Receives bytes: counts, hashes and inspects them in one pass, while they go to the blob store. */
export interface Ingest {
  /** @throws Problem 413 `file_too_large`, 507 `storage_full`, for a size that is known beforehand */
  requireSize(bytes: number): void;
  /**
   * @param expectedBytes approximate size; 0 = unknown
   * @param take called with the number of bytes before they are stored; refuses them by throwing
   */
  begin(expectedBytes: number, take?: (bytes: number) => Promise<void> | undefined): Intake;
}

export function createIngest(deps: IngestDeps): Ingest {
  return {
    requireSize(bytes) {
      if (bytes > deps.fileBytes) throw tooLarge(deps.fileBytes);
      requireFreeBytes(deps.blobs, bytes);
    },
    begin: (expectedBytes, take = () => undefined) => beginIntake(deps, expectedBytes, take),
  };
}

function beginIntake(
  { blobs, fileBytes, hasher, garbage }: IngestDeps,
  expectedBytes: number,
  take: (bytes: number) => Promise<void> | undefined,
): Intake {
  const key = newId();
  const blob = blobs.create(key);
  const sums: Checksums =
    blob.file && expectedBytes >= WORTH_ANOTHER_CORE ? hasher.behind(blob.file) : createInlineChecksums();
  const sample = createSample();
  let size = 0;
  let committing: Promise<void> | undefined;
  let isAborted = false;
  const received = garbage.begin();

  const pass = (bytes: Uint8Array): Promise<void> | undefined => {
    if (isAborted) return undefined;
    sample.add(bytes);
    sums.update(bytes);
    received.note(bytes.byteLength);
    return blob.write(bytes);
  };

  return {
    write(bytes) {
      size += bytes.byteLength;
      if (size > fileBytes) throw tooLarge(fileBytes);
      const taken = take(bytes.byteLength);
      return taken ? taken.then(() => pass(bytes)) : pass(bytes);
    },
    async finish(hint) {
      received.end();
      committing = blob.commit();
      const [{ sha256, crc32 }, mimeType] = await Promise.all([
        sums.finish(),
        detectMediaType(sample.bytes(), hint),
        committing,
      ]);
      return { blobKey: key, sizeBytes: size, mimeType, sha256, crc32 };
    },
    async abort() {
      isAborted = true;
      received.end();
      sums.drop();
      const isCommitted = await committing?.then(
        () => true,
        () => false,
      );
      if (isCommitted) await blobs.delete(key);
      else await blob.abort();
    },
  };
}

/** @throws Problem 507 `storage_full` when the store has not enough space for `bytes` */
export function requireFreeBytes(blobs: Blobs, bytes: number): void {
  // A request without a body does not cost a statfs(2).
  if (bytes > 0 && bytes > blobs.freeBytes()) throw storageFull();
}

/** Keeps the first `SAMPLE_BYTES` bytes. */
function createSample() {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes: Uint8Array): void {
      if (size >= SAMPLE_BYTES) return;
      // A copy: the bytes may be a small section of a large buffer.
      const start = Buffer.from(bytes.subarray(0, SAMPLE_BYTES - size));
      chunks.push(start);
      size += start.byteLength;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

/** Returns 413 `file_too_large`. @param limit maximum size in bytes */
export function tooLarge(limit: number): Problem {
  return new Problem('file_too_large', `The file exceeds the limit of ${limit} bytes.`);
}
