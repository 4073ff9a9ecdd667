import { newId } from '../../../kernel/ids.ts';
import { describeError, type Log } from '../../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import { streamOf } from '../../blobs/stream.ts';
import type { ClaimedPicture } from './claims.ts';
import { NoRendition } from './decoder.ts';
import type { readMedia } from './media/read.ts';
import type { renderPicture } from './render.ts';
import type { RenditionStore } from './store.ts';

export interface RendererDeps {
  blobs: Pick<Blobs, 'read' | 'create' | 'delete'>;
  store: RenditionStore;
  log: Log;
  render: typeof renderPicture;
  read: typeof readMedia;
}

/**
 * Renders, stores and records the missing renditions of a picture, or the facts of audio or video, or records why there
 * are none.
 * @param withPreview false = the thumbnail only
 */
export async function renderMissing(
  deps: RendererDeps,
  picture: ClaimedPicture,
  withPreview: boolean,
): Promise<void> {
  const { blobs, store, log, render, read } = deps;
  if (picture.isGivenUp) return await store.failed(picture);
  let left = picture;
  try {
    if (picture.missing === 'facts')
      return await store.read(picture, await read(blobs, picture.blobKey, picture.sizeBytes));
    const body = await blobs.read(picture.blobKey, picture.sizeBytes);
    const kinds = [
      ...(picture.missing === 'thumbnail' ? (['thumbnail'] as const) : []),
      ...(withPreview ? (['preview'] as const) : []),
    ];
    for await (const { kind, bytes, facts } of render(streamOf(body), kinds)) {
      const key = newId();
      await writeBlob(blobs, key, bytes);
      if (!(await store.made(picture, { kind, key, facts }))) return await blobs.delete(key);
      left = { ...picture, missing: 'preview' };
    }
    if (!withPreview) await store.release(picture);
  } catch (error) {
    const isPermanent = error instanceof NoRendition || error instanceof BlobMissing;
    log[isPermanent ? 'debug' : 'warn'](
      { fileId: picture.fileId, error: describeError(error) },
      left.missing === 'facts' ? 'no facts could be read' : `no ${left.missing} could be made`,
    );
    await (isPermanent ? store.failed(left) : store.postpone(left));
  }
}

async function writeBlob(blobs: RendererDeps['blobs'], key: string, bytes: Uint8Array): Promise<void> {
  const writer = blobs.create(key);
  try {
    await writer.write(bytes);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
