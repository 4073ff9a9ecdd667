import { chunksIn } from '../../kernel/content.ts';
import type { BlobRange, Blobs } from './port.ts';

/** Returns the chunks of a blob or of a range of it, as `Blobs.read`. It is opened when the first one is read. */
export async function* chunksOf(
  blobs: Pick<Blobs, 'read'>,
  { blobKey, sizeBytes, crc32 }: { blobKey: string; sizeBytes: number; crc32?: number },
  range?: BlobRange,
): AsyncGenerator<Uint8Array> {
  yield* chunksIn(await blobs.read(blobKey, sizeBytes, range, crc32));
}
