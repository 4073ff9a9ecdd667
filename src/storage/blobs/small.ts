import { createCache } from '../../kernel/cache.ts';
import type { BlobBody, BlobFacts, Blobs } from './port.ts';

/** The operations of a store that readers use. */
export type BlobReader = Pick<Blobs, 'read' | 'stat' | 'link'>;

interface Kept {
  body: Blob;
  facts: BlobFacts | null;
}

/** Larger blobs gain little: sending them costs more than reading them. */
const SMALL = 131_072;
const KEPT_BYTES = 16_777_216;
/** Maximum number of keys recorded as read once. */
const READ_ONCE = 4_096;

/**
 * Returns a reader of `blobs` that keeps small blobs in memory when they are read repeatedly: thumbnails, icons, a
 * shared picture. Blobs never change, so no entry goes stale. A blob is kept at its second read only, so that one
 * pass over thousands of files evicts nothing.
 */
export function keepSmall(blobs: Blobs): BlobReader {
  const kept = createCache<Kept>({ max: KEPT_BYTES, sizeOf: ({ body }) => Math.max(1, body.size) });
  const readOnce = createCache<true>({ max: READ_ONCE });

  function isReadAgain(key: string): boolean {
    if (readOnce.delete(key)) return true;
    readOnce.set(key, true);
    return false;
  }

  async function readAndKeep(key: string, reading: BlobBody | Promise<BlobBody>): Promise<Blob> {
    const body = new Blob([await new Response(await reading).bytes()]);
    if (!kept.has(key)) kept.set(key, { body, facts: null });
    return body;
  }

  return {
    link: blobs.link,
    read(key, size, range) {
      if (size > SMALL) return blobs.read(key, size, range);
      const body = kept.get(key)?.body;
      if (body?.size === size) return range ? body.slice(range.start, range.end) : body;
      if (!isReadAgain(key)) return blobs.read(key, size, range);
      const whole = readAndKeep(key, blobs.read(key, size));
      return range ? whole.then((all) => all.slice(range.start, range.end)) : whole;
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
