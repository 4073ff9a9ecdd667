import { MB } from '../../kernel/bytes.ts';
import { createCache } from '../../kernel/cache.ts';
import { bytesIn, type Content } from '../../kernel/content.ts';
import type { BlobFacts, Blobs } from './port.ts';

/** The operations of a store that readers use. */
export type BlobReader = Pick<Blobs, 'read' | 'stat' | 'link'>;

interface Kept {
  bytes: Uint8Array<ArrayBuffer>;
  facts: BlobFacts | null;
}

/** Larger blobs gain little: sending them costs more than reading them. */
const SMALL = 131_072;
const KEPT_BYTES = 16 * MB;
/** Maximum number of keys recorded as read once. */
const READ_ONCE = 4_096;

/**
 * Returns a reader of `blobs` that keeps small blobs in memory when they are read repeatedly: thumbnails, icons, a
 * shared picture. Blobs never change, so no entry goes stale. A blob is kept only from its second read on, so that one
 * pass over thousands of files evicts nothing.
 */
export function keepSmall(blobs: Blobs): BlobReader {
  const kept = createCache<Kept>({ max: KEPT_BYTES, sizeOf: ({ bytes }) => Math.max(1, bytes.length) });
  const readOnce = createCache<true>({ max: READ_ONCE });

  function isReadAgain(key: string): boolean {
    if (readOnce.delete(key)) return true;
    readOnce.set(key, true);
    return false;
  }

  async function readAndKeep(key: string, reading: Content | Promise<Content>): Promise<Kept['bytes']> {
    const bytes = await bytesIn(await reading);
    if (!kept.has(key)) kept.set(key, { bytes, facts: null });
    return bytes;
  }

  return {
    link: blobs.link,
    read(key, size, range, crc32) {
      if (size > SMALL) return blobs.read(key, size, range, crc32);
      const bytes = kept.get(key)?.bytes;
      if (bytes?.length === size) return range ? bytes.subarray(range.start, range.end) : bytes;
      if (!isReadAgain(key)) return blobs.read(key, size, range, crc32);
      const whole = readAndKeep(key, blobs.read(key, size, undefined, crc32));
      return range ? whole.then((all) => all.subarray(range.start, range.end)) : whole;
    },
    async stat(key) {
      const found = kept.peek(key);
      if (found?.facts) return found.facts;
      const facts = await blobs.stat(key);
      if (found) found.facts = facts;
      return facts;
    },
  };
}
