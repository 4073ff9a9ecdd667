import type { ByteRange } from '../../kernel/byte-range.ts';
import type { Buffers } from './buffers.ts';
import type { FileOperations } from './file-operations.ts';

interface FileChunksDeps {
  files: Pick<FileOperations, 'open' | 'read' | 'close'>;
  buffers: Buffers;
}

/**
 * Reads a range of a file in chunks, all in one buffer: new memory for each would take longer than reading. A chunk is
 * valid until the next is requested.
 * @throws Unavailable when the disk does not respond; Error when the file ends before the range
 */
export async function* chunksOfFile(
  { files, buffers }: FileChunksDeps,
  path: string,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const descriptor = files.open(path, 'r');
  const buffer = buffers.take();
  let isRead = true;
  try {
    for (let at = start; at < end; ) {
      isRead = false;
      const length = await files.read(descriptor, buffer, 0, Math.min(buffers.size, end - at), at);
      isRead = true;
      if (length === 0) throw new Error(`a file of the store ends at ${at} bytes, before ${end}`);
      at += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    files.close(descriptor);
    // A read that took too long may still write to it.
    if (isRead) buffers.release(buffer);
  }
}
