import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Signals } from '../../../kernel/database/signals.ts';
import { newId } from '../../../kernel/ids.ts';
import { describeError, type Log } from '../../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../../blobs/port.ts';
import type { PictureFacts } from '../../tree/file.ts';
import { NoThumbnail, renderThumbnail } from './render.ts';
import { type ClaimedPicture, createThumbnailStore, type ThumbnailStore } from './store.ts';

interface ThumbnailsDeps {
  database: Database;
  blobs: Blobs;
  signals: Signals;
  clock: Clock;
  log: Log;
  render?: typeof renderThumbnail;
}

/** Renders the pending thumbnails (`thumbnail_state`), one at a time on this node. */
export interface Thumbnails {
  /** Signals that a committed row is pending, so that it does not wait for the next round. */
  notify(): void;
  /** Subscribes to `notify` of every node. @param takesOver whether all leases are of earlier runs */
  start(options: { takesOver: boolean }): void;
  /** Starts a round in the background. Regular calls find what restarts and lost signals left pending. */
  poll(): void;
  /** Renders all thumbnails that are due. */
  round(): Promise<void>;
  /** Starts no more and waits for the one in progress. */
  stop(): Promise<void>;
}

const CHANNEL = 'thumbnails';

export function createThumbnails({
  database,
  blobs,
  signals,
  clock,
  log,
  render = renderThumbnail,
}: ThumbnailsDeps): Thumbnails {
  const store = createThumbnailStore({ database, clock });
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;
  let unlisten = () => {};

  async function renderAllDue(): Promise<void> {
    for (;;) {
      again = false;
      for (
        let picture = stopped ? null : await store.claim();
        picture;
        picture = stopped ? null : await store.claim()
      )
        await renderOne(picture, store, { blobs, log, render });
      if (!again || stopped) return;
    }
  }

  function round(): Promise<void> {
    again = true;
    running ??= renderAllDue().finally(() => {
      running = null;
    });
    return running;
  }

  function poll(): void {
    round().catch((error) => log.error({ error: describeError(error) }, 'the queue of thumbnails failed'));
  }

  return {
    notify: () => signals.emit(CHANNEL),
    start({ takesOver }) {
      unlisten = signals.listen(CHANNEL, poll);
      running = (takesOver ? store.takeOver() : Promise.resolve())
        .catch((error) =>
          log.error({ error: describeError(error) }, 'the leases of thumbnails could not be taken over'),
        )
        .finally(() => {
          running = null;
          poll();
        });
    },
    poll,
    round,
    async stop() {
      stopped = true;
      unlisten();
      await running?.catch(() => {});
    },
  };
}

type Rendering = Pick<ThumbnailsDeps, 'blobs' | 'log'> & { render: typeof renderThumbnail };

/** Renders, stores and records one thumbnail, or records why there is none. */
async function renderOne(
  picture: ClaimedPicture,
  store: ThumbnailStore,
  { blobs, log, render }: Rendering,
): Promise<void> {
  if (picture.isGivenUp) return await store.failed(picture);
  const thumbnailKey = newId();
  let facts: PictureFacts;
  try {
    const body = await blobs.read(picture.blobKey, picture.sizeBytes);
    const rendition = await render(body instanceof Blob ? body.stream() : body);
    facts = rendition.facts;
    if (picture.state === 'pending') await writeBlob(blobs, thumbnailKey, rendition.thumbnail);
  } catch (error) {
    const isPermanent = error instanceof NoThumbnail || error instanceof BlobMissing;
    log[isPermanent ? 'debug' : 'warn'](
      { fileId: picture.fileId, error: describeError(error) },
      'no thumbnail could be made',
    );
    await (isPermanent ? store.failed(picture) : store.postpone(picture));
    return;
  }
  if (picture.state === 'made') await store.read(picture, facts);
  else if (!(await store.made(picture, thumbnailKey, facts))) await blobs.delete(thumbnailKey);
}

async function writeBlob(blobs: Blobs, key: string, bytes: Uint8Array): Promise<void> {
  const writer = blobs.create(key);
  try {
    await writer.write(bytes);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
