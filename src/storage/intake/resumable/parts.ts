import { newId } from '../../../kernel/ids.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Blobs, BlobWriter } from '../../blobs/port.ts';
import type { UploadChecksum } from '../../routes/resumable/checksum.ts';
import type { Garbage } from '../garbage.ts';
import { LockLost, type UploadPart } from './store.ts';

/** Bytes after which a part is closed, which bounds the loss of a long request when the server dies. */
const PART_BYTES = 16 * 1024 ** 2;

interface PartsReceiver {
  blobs: Blobs;
  garbage: Garbage;
  /** Position of the first byte in the upload. */
  offset: number;
  /** Null = the client sent none; then the received bytes are kept when the connection drops. */
  checksum: UploadChecksum | null;
  /** Commits the row of a part whose blob is durable. */
  record(part: UploadPart): Promise<void>;
}

/**
 * Writes a request's bytes as parts. Returns the position of the next byte.
 * @throws Problem 460 `checksum_mismatch`, after which nothing of the request is kept; errors of the stream and of
 *   `record`
 */
export async function receiveParts(
  bytes: AsyncIterable<Uint8Array>,
  { blobs, garbage, offset, checksum, record }: PartsReceiver,
): Promise<number> {
  let start = offset;
  const open: { part: { key: string; writer: BlobWriter; size: number } | null } = { part: null };

  async function close(): Promise<void> {
    if (!open.part) return;
    const { key, writer, size } = open.part;
    open.part = null;
    await writer.commit().catch(async (error) => {
      await writer.abort();
      throw error;
    });
    await record({ start, size, blobKey: key }).catch(async (error) => {
      // After any other error the row may be committed nevertheless: the blob stays, and the sweeper decides.
      if (error instanceof LockLost) await blobs.delete(key);
      throw error;
    });
    start += size;
  }

  function begin() {
    const key = newId();
    return { key, writer: blobs.create(key), size: 0 };
  }

  const end = garbage.begin();
  try {
    for await (const chunk of bytes) {
      open.part ??= begin();
      garbage.note(chunk.byteLength);
      checksum?.update(chunk);
      await open.part.writer.write(chunk);
      open.part.size += chunk.byteLength;
      // Bytes with a checksum stay one part, and nothing of it is kept until all of it is verified.
      if (!checksum && open.part.size >= PART_BYTES) await close();
    }
  } catch (error) {
    if (checksum) await open.part?.writer.abort();
    else await close().catch(() => {});
    throw error;
  } finally {
    end();
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
