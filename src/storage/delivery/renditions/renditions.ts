import { availableParallelism } from 'node:os';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { Signals } from '../../../kernel/database/signals.ts';
import type { ShortRequests } from '../../../kernel/event-loop/short-requests.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Blobs } from '../../blobs/port.ts';
import { createMediaReader, type MediaReader } from './media/read.ts';
import { renderMissing } from './render-missing.ts';
import { createRenderer, type Renderer } from './renderer.ts';
import { createTakeSlot } from './slots.ts';
import { createRenditionStore, RETRY_MS } from './store.ts';
import { createWorkers } from './workers.ts';

interface RenditionsDeps {
  database: Database;
  blobs: Pick<Blobs, 'read' | 'create' | 'delete' | 'freeBytes'>;
  signals: Signals;
  clock: Clock;
  log: Log;
  /** While there are many short requests, one picture at a time is rendered. */
  shortRequests: Pick<ShortRequests, 'areMany'>;
  /** Pictures rendered at once by this process. */
  atOnce?: number;
  /** Time from a failed attempt to the next. */
  retryMs?: number;
  renderer?: Renderer;
  media?: MediaReader;
}

/** Renders the missing thumbnails and previews of pictures, and reads the missing facts of audio and video. */
export interface Renditions {
  /** Signals that a committed row is pending, so that it does not wait for the next round. */
  notify(): void;
  /** Renders the picture next, on this node. Call it when a request waits for the picture. */
  hurry(fileId: string): void;
  /** Subscribes to `notify` of every node. @param takesOver whether all leases are of earlier runs */
  start(options: { takesOver: boolean }): void;
  /** Starts a round in the background. Regular calls find rows that restarts and lost signals left pending. */
  poll(): void;
  /** Renders all pictures that are due. */
  round(): Promise<void>;
  /** Starts no more and waits for those in progress. */
  stop(): Promise<void>;
}

const CHANNEL = 'thumbnails';
/** Each may use the memory of one decoder. */
const MAX_AT_ONCE = 2;
/** Maximum number of pictures that are rendered before others because a request waits for them. */
const MAX_HURRIED = 32;
/** Free space in bytes below which no preview is stored, so that uploads have room. */
const LEFT_FREE = 1024 ** 3;

export function createRenditions({
  database,
  blobs,
  signals,
  clock,
  log,
  shortRequests,
  atOnce = Math.min(MAX_AT_ONCE, availableParallelism()),
  retryMs = RETRY_MS,
  renderer = createRenderer(log),
  media = createMediaReader(blobs, log),
}: RenditionsDeps): Renditions {
  const store = createRenditionStore({ database, clock, retryMs });
  // On two cores, two renderers would halve the speed of short requests.
  const maxWorkers = () => (shortRequests.areMany() ? 1 : atOnce);
  const workers = createWorkers({ atOnce: maxWorkers, ready: () => ready, workOnce: renderNext });
  const takeSlot = createTakeSlot({ atOnce: maxWorkers, isOtherDue: store.isOtherDue });
  const deps = { blobs, store, log, render: renderer.render, read: media.read };
  const hurried = new Set<string>();
  /** Whether a request waits for the picture that was claimed last. */
  let wasHurried = false;
  let ready: Promise<void> | undefined;
  let unlisten = () => {};
  let retry: Timer | undefined;

  async function renderNext(): Promise<boolean> {
    // Alternately, so that pictures that nobody waits for are rendered too.
    const [first] = wasHurried ? [] : hurried;
    wasHurried = first !== undefined;
    if (first !== undefined) hurried.delete(first);
    const withPreviews = blobs.freeBytes() > LEFT_FREE;
    const picture = await store.claim({ withPreviews, first });
    if (!picture) return false;
    const slot = takeSlot(picture.workspaceId);
    const isRetried = await renderMissing(deps, picture, { withPreviews, ...slot }).finally(slot.free);
    if (isRetried) {
      clearTimeout(retry);
      retry = setTimeout(poll, retryMs);
    }
    return true;
  }

  function poll(): void {
    workers.round().catch((error) => log.error({ error }, 'the queue of pictures failed'));
  }

  return {
    notify: () => signals.emit(CHANNEL),
    hurry(fileId) {
      if (hurried.size >= MAX_HURRIED) return;
      hurried.add(fileId);
      poll();
    },
    start({ takesOver }) {
      unlisten = signals.listen(CHANNEL, poll);
      if (takesOver)
        ready = store
          .takeOver()
          .catch((error) => log.error({ error }, 'the leases of pictures could not be taken over'));
      poll();
    },
    poll,
    round: workers.round,
    async stop() {
      unlisten();
      await workers.stop();
      clearTimeout(retry);
      renderer.stop();
      media.stop();
    },
  };
}
