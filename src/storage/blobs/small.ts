import type { BlobBody, BlobFacts, Blobs } from './port.ts';

/** What readers need of a store. */
export type BlobReader = Pick<Blobs, 'read' | 'stat'>;

interface Kept {
  body: Blob;
  facts: BlobFacts | null;
}

/** Larger ones gain little: sending them costs more than finding them. */
const SMALL = 131_072;
const KEPT_BYTES = 16_777_216;
/** How many keys are remembered as asked for once. */
const ASKED_ONCE = 4_096;

/**
 * The same store, with small blobs that are asked for again and again kept in memory: thumbnails, icons, a shared picture.
 * Blobs never change, so nothing has to be told. One that is asked for once is not kept, so that a walk through thousands
 * of files pushes out none.
 */
export function keepSmall(blobs: Blobs): BlobReader {
  // Both in the order of use.
  const kept = new Map<string, Kept>();
  const asked = new Set<string>();
  let keptBytes = 0;

  function find(key: string): Kept | undefined {
    const found = kept.get(key);
    if (found) {
      kept.delete(key);
      kept.set(key, found);
    }
    return found;
  }

  function keep(key: string, body: Blob): void {
    if (kept.has(key)) return;
    kept.set(key, { body, facts: null });
    keptBytes += body.size;
    for (const [oldest, { body: old }] of kept) {
      if (keptBytes <= KEPT_BYTES) break;
      kept.delete(oldest);
      keptBytes -= old.size;
    }
  }

  /** Whether it was asked for before. */
  function isAskedAgain(key: string): boolean {
    if (asked.delete(key)) return true;
    if (asked.size >= ASKED_ONCE) asked.clear();
    asked.add(key);
    return false;
  }

  async function readAndKeep(key: string, reading: BlobBody | Promise<BlobBody>): Promise<Blob> {
    const body = new Blob([await new Response(await reading).bytes()]);
    keep(key, body);
    return body;
  }

  return {
    read(key, size, range) {
      if (size > SMALL) return blobs.read(key, size, range);
      const body = find(key)?.body;
      if (body?.size === size) return range ? body.slice(range.start, range.end) : body;
      if (!isAskedAgain(key)) return blobs.read(key, size, range);
      const whole = readAndKeep(key, blobs.read(key, size));
      return range ? whole.then((all) => all.slice(range.start, range.end)) : whole;
    },
    async stat(key) {
      const found = kept.get(key);
      if (found?.facts) return found.facts;
      const facts = await blobs.stat(key);
      if (found) found.facts = facts;
      return facts;
    },
  };
}
