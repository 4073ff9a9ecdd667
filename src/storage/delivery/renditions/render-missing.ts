import { JobInterrupted } from '../../../kernel/compute/start-child.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Log } from '../../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import { chunksOf } from '../../blobs/stream.ts';
import type { MediaFacts, RenditionKind } from '../../tree/files/file.ts';
import { type ClaimedPicture, TRIES } from './claims.ts';
import { type DecodedFile, NoRendition } from './decoder.ts';
import type { MediaReader } from './media/read.ts';
import type { Renderer } from './renderer.ts';
import type { RenditionStore } from './store.ts';

export interface RenderMissingDeps {
  blobs: Pick<Blobs, 'read' | 'create' | 'delete'>;
  store: RenditionStore;
  log: Log;
  render: Renderer['render'];
  read: MediaReader['read'];
}

interface RenderOptions extends Pick<DecodedFile, 'mayContinue'> {
  /** False = the thumbnail only. */
  withPreviews: boolean;
}

/**
 * Renders, stores and records the missing renditions of a picture, or the facts of audio or video, or records why there
 * are none. Returns true when another attempt is due after the store's `retryMs`.
 */
export async function renderMissing(
  deps: RenderMissingDeps,
  picture: ClaimedPicture,
  { withPreviews, mayContinue }: RenderOptions,
): Promise<boolean> {
  const { blobs, store, log, render, read } = deps;
  if (picture.isGivenUp) return await store.failed(picture, null);
  let left = picture;
  const kinds = kindsOf(picture, withPreviews);
  try {
    if (picture.missing === 'facts') {
      await store.factsRead(picture, await read({ ...picture, mayContinue }));
      return false;
    }
    for (const { kind, bytes, facts } of await render(
      { ...picture, size: picture.sizeBytes, chunks: chunksOf(blobs, picture), mayContinue },
      kinds,
    )) {
      const key = newId();
      await writeBlob(blobs, key, bytes);
      if (!(await store.made(picture, { kind, key, facts }))) {
        await blobs.delete(key);
        return false;
      }
      left = { ...picture, missing: 'preview' };
    }
    if (!kinds.includes('preview')) await store.release(picture);
    return false;
  } catch (error) {
    const isPermanent = error instanceof NoRendition || error instanceof BlobMissing;
    log[isPermanent || error instanceof JobInterrupted ? 'debug' : 'warn'](
      { fileId: picture.fileId, error },
      left.missing === 'facts' ? 'facts could not be read' : `the ${left.missing} could not be rendered`,
    );
    if (isPermanent) return await store.failed(left, factsOf(error, left));
    await store.postpone(left);
    return false;
  }
}

/** Returns the facts to keep of a picture whose pixels are damaged; one with a thumbnail has better ones. */
function factsOf(error: unknown, { missing }: ClaimedPicture): MediaFacts | null {
  return missing === 'thumbnail' && error instanceof NoRendition ? error.facts : null;
}

function kindsOf({ missing, tries }: ClaimedPicture, withPreviews: boolean): RenditionKind[] {
  if (missing === 'preview') return ['preview'];
  // The last attempt at a thumbnail does not depend on the preview.
  return withPreviews && tries < TRIES.thumbnail ? ['thumbnail', 'preview'] : ['thumbnail'];
}

async function writeBlob(blobs: RenderMissingDeps['blobs'], key: string, bytes: Uint8Array): Promise<void> {
  const writer = blobs.create(key);
  try {
    await writer.write(bytes);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
