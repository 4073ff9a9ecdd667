import type { ByteRange } from '../../kernel/content.ts';
import type { Buffers } from './buffers.ts';
import type { FileOperations } from './file-operations.ts';

interface FileChunksDeps {
  files: Pick<FileOperations, 'open' | 'read' | 'close'>;
  /** For the first chunk, and for slow readers, since many wait at the same time. */
  small: Buffers;
  /** For fast readers, while there are unused ones: waking the thread that reads takes as long as reading 64 KB. */
  large: Buffers;
  /** Milliseconds, as of `performance.now()`. */
  now?(): number;
}

/** Minimum bytes per millisecond of a fast reader. */
const FAST = 8_192;

/**
 * Reads a range of a file in chunks, in reused memory: allocating memory for each chunk would take longer than reading
 * it. A chunk is valid until the next is requested.
 * @throws Unavailable when the disk does not respond; Error when the file ends before the range
 */
export async function* chunksOfFile(
  { files, small, large, now = () => performance.now() }: FileChunksDeps,
  path: string,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const descriptor = files.open(path);
  try {
    let isFast = false;
    for (let at = start; at < end; ) {
      const spare: Buffer<ArrayBuffer> | null = isFast ? large.takeSpare() : null;
      const buffers = spare ? large : small;
      const buffer = spare ?? small.take();
      const length: number = await files
        .read(descriptor, buffer, 0, Math.min(buffers.size, end - at), at)
        .catch((error) => {
          // A read that took too long may still write to the buffer.
          buffers.discard();
          throw error;
        });
      const yieldedAt = now();
      try {
        if (length === 0) throw new Error(`a file of the store ends at ${at} bytes, before ${end}`);
        yield buffer.subarray(0, length);
      } finally {
        buffers.release(buffer);
      }
      at += length;
      isFast = length > (now() - yieldedAt) * FAST;
    }
  } finally {
    files.close(descriptor);
  }
}
