import { MB } from '../../../kernel/bytes.ts';
import { newId } from '../../../kernel/ids.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { Blobs, BlobWriter } from '../../blobs/port.ts';
import type { UploadChecksum } from '../../routes/resumable/checksum.ts';
import type { Garbage } from '../garbage.ts';
import { LockLost, type UploadPart } from './part-rows.ts';

/** Bytes after which a part is closed, which bounds the loss of a long request when the server dies. */
const PART_BYTES = 16 * MB;
/**
 * Number of parts of an upload that may have any size. Further ones must have `LARGE_PART` bytes, which bounds the rows
 * and blobs of an upload by the space that it has reserved.
 */
export const SMALL_PARTS = 100;
const LARGE_PART = 65_536;

interface PartsReceiver {
  blobs: Blobs;
  garbage: Garbage;
  /** Position of the first byte in the upload. */
  offset: number;
  /** Size of the whole upload. */
  total: number;
  /** Reports whether the upload has `SMALL_PARTS` parts or more. */
  hasManyParts(): Promise<boolean>;
  /** Null = the client sent none; then the received bytes are kept when the connection drops. */
  checksum: UploadChecksum | null;
  /** Called before the part that completes the upload is kept. @throws Problem */
  beforeLast(): Promise<void>;
  /** Commits the row of a part whose blob is durable. */
  record(part: UploadPart): Promise<void>;
}

/** A part that is being received. */
interface OpenPart {
  key: string;
  writer: BlobWriter;
  /** Of the bytes so far. */
  size: number;
  crc32: number;
}

/**
 * Writes a request's bytes as parts. Returns the position of the next byte.
 * @throws Problem 460 `checksum_mismatch`, after which no byte of the request is kept; 400 when its bytes are few and
 * the upload has many parts; errors of the stream, of `beforeLast` and of `record`
 */
export async function receiveParts(
  bytes: AsyncIterable<Uint8Array>,
  { blobs, garbage, offset, total, hasManyParts, checksum, beforeLast, record }: PartsReceiver,
): Promise<number> {
  let start = offset;
  const open: { part: OpenPart | null } = { part: null };

  async function close(): Promise<void> {
    if (!open.part) return;
    const { key, writer, size, crc32 } = open.part;
    open.part = null;
    if (size < LARGE_PART && start + size < total && (await hasManyParts())) {
      await writer.abort();
      throw invalidField(
        'body',
        `must have at least ${LARGE_PART} bytes after so many parts, unless it completes the upload`,
      );
    }
    try {
      if (start + size >= total) await beforeLast();
      await writer.commit();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    await record({ start, size, blobKey: key, crc32 }).catch(async (error) => {
      // After any other error the row may be committed: the blob stays, and the sweeper deletes it if no row references
      // it.
      if (error instanceof LockLost) await blobs.delete(key);
      throw error;
    });
    start += size;
  }

  function begin(): OpenPart {
    const key = newId();
    return { key, writer: blobs.create(key), size: 0, crc32: 0 };
  }

  const received = garbage.begin();
  try {
    for await (const chunk of bytes) {
      open.part ??= begin();
      received.note(chunk.byteLength);
      checksum?.update(chunk);
      await open.part.writer.write(chunk);
      open.part.size += chunk.byteLength;
      open.part.crc32 = Bun.hash.crc32(chunk, open.part.crc32);
      // Bytes with a checksum stay one part, which is kept only after all of it is verified.
      if (!checksum && open.part.size >= PART_BYTES) await close();
    }
  } catch (error) {
    if (checksum) await open.part?.writer.abort();
    else await close().catch(() => {});
    throw error;
  } finally {
    received.end();
  }
  if (checksum && !checksum.isRight()) {
    await open.part?.writer.abort();
    throw new Problem(
      'checksum_mismatch',
      'The received bytes do not match Upload-Checksum; send them again.',
    );
  }
  await close();
  return start;
}
