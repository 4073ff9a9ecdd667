import type { Lock, Locker } from '@tus/server';
import { type Clock, SECOND } from '../../kernel/clock.ts';
import type { Signals } from '../../kernel/database/signals.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { UploadStore } from './store.ts';

/** A lock whose process died ends by itself after this. */
const LEASE_MS = 15 * SECOND;
/** Longer than a lease, so that a lock that nobody holds any more is had in the end. */
const PATIENCE_MS = 20 * SECOND;
const ASK_AGAIN_MS = 250;
const WANTED = 'upload-wanted';
const FREE = 'upload-free';

interface LocksParts {
  store: UploadStore;
  signals: Signals;
  clock: Clock;
}

/**
 * Locks of uploads, for one request (`owner`). Whoever finds an upload locked asks the holder, on whichever node, to let go:
 * a client that comes back after its connection dropped is not kept waiting by the remains of that connection.
 */
export function createLocker({ store, signals, clock }: LocksParts, owner: string): Locker {
  return { newLock: (id) => createLock(id) };

  function createLock(id: string): Lock {
    let renewal: Timer | undefined;
    let unlisten = () => {};
    return {
      async lock(stopped, release) {
        const ends = clock.now() + PATIENCE_MS;
        while ((await store.lock(id, owner, clock.now() + LEASE_MS)) === 'busy') {
          if (stopped.aborted || clock.now() > ends) throw new Problem('upload_locked', 'Another request writes to this upload.');
          const freed = heard(id);
          signals.emit(WANTED, id);
          await freed;
        }
        unlisten = signals.listen(WANTED, (wanted) => {
          if (wanted === id) void release();
        });
        // A lease that could not be renewed shows when the next part is noted.
        renewal = setInterval(() => void store.renewLock(id, owner, clock.now() + LEASE_MS).catch(() => {}), LEASE_MS / 3);
      },
      async unlock() {
        clearInterval(renewal);
        unlisten();
        await store.unlock(id, owner);
        signals.emit(FREE, id);
      },
    };
  }

  /** Waits until the upload is said to be free, or it is time to ask again. */
  function heard(id: string): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ASK_AGAIN_MS);
      const unlisten = signals.listen(FREE, (free) => {
        if (free === id) done();
      });
      function done() {
        clearTimeout(timer);
        unlisten();
        resolve();
      }
    });
  }
}
