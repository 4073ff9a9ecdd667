import { Problem } from '../../kernel/http/problem.ts';
import { newId } from '../../kernel/ids.ts';
import type { Blobs, BlobWriter } from '../blobs/port.ts';
import type { UploadChecksum } from './checksum.ts';
import type { UploadPart } from './store.ts';

/** Bytes after which a part is closed, so that a server that dies loses no more than this of a long request. */
const PART_BYTES = 16 * 1024 ** 2;

interface PartsReceiver {
  blobs: Blobs;
  /** Where in the upload the bytes begin. */
  offset: number;
  /** Null = the client says nothing of them: then whatever has come is kept when the connection drops. */
  checksum: UploadChecksum | null;
  /** Commits the rows of parts whose blobs are durable. */
  record(parts: readonly UploadPart[]): Promise<void>;
}

/**
 * Writes a request's bytes as parts. Gives where the next ones belong.
 * @throws Problem 460 `checksum_mismatch`, after which nothing of the request is kept; what the stream and `record` throw
 */
export async function receiveParts(bytes: AsyncIterable<Uint8Array>, { blobs, offset, checksum, record }: PartsReceiver): Promise<number> {
  let start = offset;
  let open: { key: string; writer: BlobWriter; size: number } | null = null;
  const unproven: UploadPart[] = [];

  const close = async () => {
    if (!open) return;
    const { key, writer, size } = open;
    open = null;
    await writer.commit().catch(async (error) => {
      await writer.abort();
      throw error;
    });
    const part = { start, size, blobKey: key };
    start += size;
    if (checksum) unproven.push(part);
    else await keep([part]);
  };

  const keep = async (parts: readonly UploadPart[]) => {
    await record(parts).catch(async (error) => {
      await discard(parts);
      throw error;
    });
  };

  const discard = async (parts: readonly UploadPart[]) => {
    await Promise.all(parts.map(({ blobKey }) => blobs.delete(blobKey)));
  };

  try {
    for await (const chunk of bytes) {
      if (!open) {
        const key = newId();
        open = { key, writer: blobs.create(key), size: 0 };
      }
      checksum?.update(chunk);
      await open.writer.write(chunk);
      open.size += chunk.byteLength;
      if (open.size >= PART_BYTES) await close();
    }
    await close();
  } catch (error) {
    if (checksum) {
      await (open as { writer: BlobWriter } | null)?.writer.abort();
      await discard(unproven);
    } else await close().catch(() => {});
    throw error;
  }
  if (!checksum) return start;
  if (!checksum.isRight()) {
    await discard(unproven);
    throw new Problem('checksum_mismatch', 'The bytes that came are not those of Upload-Checksum; send them again.');
  }
  await keep(unproven);
  return start;
}
