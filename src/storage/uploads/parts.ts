import { Problem } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { Blobs, BlobWriter } from '../blobs/port.ts';
import type { Garbage } from '../garbage.ts';
import type { UploadChecksum } from './checksum.ts';
import { LockLost, type UploadPart } from './store.ts';

/** Bytes after which a part is closed, so that a server that dies loses no more than this of a long request. */
const PART_BYTES = 16 * 1024 ** 2;

interface PartsReceiver {
  blobs: Blobs;
  garbage: Garbage;
  /** Where in the upload the bytes begin. */
  offset: number;
  /** Null = the client says nothing of them: then whatever has come is kept when the connection drops. */
  checksum: UploadChecksum | null;
  /** Commits the row of a part whose blob is durable. */
  record(part: UploadPart): Promise<void>;
}

/**
 * Writes a request's bytes as parts. Gives where the next ones belong.
 * @throws Problem 460 `checksum_mismatch`, after which nothing of the request is kept; what the stream and `record` throw
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
      // After any other error the row may be committed all the same: then the blob must stay, and the sweeper decides.
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
      // What a checksum is of stays one part, of which nothing is kept before all of it is proven.
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
    throw new Problem('checksum_mismatch', 'The bytes that came are not those of Upload-Checksum; send them again.');
  }
  await close();
  return start;
}
