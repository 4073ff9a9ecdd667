import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Signals } from '../../kernel/database/signals.ts';
import { newId } from '../../kernel/ids.ts';
import { describeError, type Log } from '../../kernel/log.ts';
import { BlobMissing, type Blobs } from '../blobs/port.ts';
import { NoThumbnail, renderThumbnail } from './render.ts';
import { type ClaimedPicture, createThumbnailStore, TRIES } from './store.ts';

interface ThumbnailsParts {
  database: Database;
  blobs: Blobs;
  signals: Signals;
  clock: Clock;
  log: Log;
  render?: typeof renderThumbnail;
}

/** Makes the thumbnails that rows wait for (`thumbnail_state` pending), one after the other on this node. */
export interface Thumbnails {
  /** Says that a committed row waits, so that nobody waits for the next round. */
  wanted(): void;
  /** Begins to hear `wanted` of every node. */
  start(): void;
  /** Begins to look for all that are due, of any node: restarts and lost signals leave none behind. */
  look(): void;
  /** Looks, and waits until none is due. */
  round(): Promise<void>;
  /** Begins no more and waits for the one under way. */
  stop(): Promise<void>;
}

const CHANNEL = 'thumbnails';

export function createThumbnails({ database, blobs, signals, clock, log, render = renderThumbnail }: ThumbnailsParts): Thumbnails {
  const store = createThumbnailStore({ database, clock });
  let stopped = false;
  let running: Promise<void> | null = null;
  let again = false;
  let unlisten = () => {};

  async function makeAllDue(): Promise<void> {
    for (;;) {
      again = false;
      for (let picture = stopped ? null : await store.claim(); picture; picture = stopped ? null : await store.claim()) await make(picture);
      if (!again || stopped) return;
    }
  }

  async function make(picture: ClaimedPicture): Promise<void> {
    if (picture.tries > TRIES) return await store.failed(picture);
    const thumbnailKey = newId();
    try {
      const body = await blobs.read(picture.blobKey, picture.sizeBytes);
      const thumbnail = await render(body instanceof Blob ? body.stream() : body);
      const writer = blobs.create(thumbnailKey);
      try {
        await writer.write(thumbnail);
        await writer.commit();
      } catch (error) {
        await writer.abort();
        throw error;
      }
    } catch (error) {
      const isItsOwnFault = error instanceof NoThumbnail || error instanceof BlobMissing;
      log[isItsOwnFault ? 'debug' : 'warn']({ fileId: picture.fileId, error: describeError(error) }, 'no thumbnail could be made');
      await (isItsOwnFault ? store.failed(picture) : store.postpone(picture));
      return;
    }
    if (!(await store.made(picture, thumbnailKey))) await blobs.delete(thumbnailKey);
  }

  function round(): Promise<void> {
    again = true;
    running ??= makeAllDue().finally(() => {
      running = null;
    });
    return running;
  }

  function look(): void {
    round().catch((error) => log.error({ error: describeError(error) }, 'the queue of thumbnails failed'));
  }

  return {
    wanted: () => signals.emit(CHANNEL),
    start() {
      unlisten = signals.listen(CHANNEL, look);
      running = store
        .takeOver()
        .catch((error) => log.error({ error: describeError(error) }, 'the leases of thumbnails could not be taken over'))
        .finally(() => {
          running = null;
          look();
        });
    },
    look,
    round,
    async stop() {
      stopped = true;
      unlisten();
      await running?.catch(() => {});
    },
  };
}
