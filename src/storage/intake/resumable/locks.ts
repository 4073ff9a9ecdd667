import type { Lock, Locker } from '@tus/server';
import { type Clock, SECOND } from '../../../kernel/clock.ts';
import type { Signals } from '../../../kernel/database/signals.ts';
import type { LeaseKeeper } from '../../../kernel/leases/lease-keeper.ts';
import { steadyClock } from '../../../kernel/limits/steady-clock.ts';
import { Problem } from '../../../kernel/problem.ts';
import { UPLOAD_LOCK_MS, type UploadLocks } from './lock-rows.ts';

/** Longer than a lease, so that the lock of a dead process is taken over in the end. */
const MAX_WAIT_MS = UPLOAD_LOCK_MS + 5 * SECOND;
const RETRY_MS = 250;
/**
 * Pause between two checks for a request that waits for the lock: its signal can be lost in a pooler or a broken
 * connection.
 */
const POLL_MS = SECOND;
const WANTED = 'upload-wanted';
const FREE = 'upload-free';

interface LocksDeps {
  locks: UploadLocks;
  signals: Signals;
  clock: Clock;
}

/**
 * Creates locks of uploads for one request (`owner`). A request that finds an upload locked signals the holder, on
 * any node, to release it, so that a reconnecting client does not wait for its old request to end.
 */
export function createLocker({ locks, signals, clock: systemTime }: LocksDeps, owner: string): Locker {
  const clock = steadyClock(systemTime);
  return { newLock: (id) => createLock(id) };

  function createLock(id: string): Lock {
    let keeper: LeaseKeeper | undefined;
    let unlisten = () => {};
    let polling: Timer | undefined;
    return {
      async lock(stopped, release) {
        const ends = clock.now() + MAX_WAIT_MS;
        while ((await locks.lock(id, owner)) === 'busy') {
          if (stopped.aborted || clock.now() > ends) throw uploadLocked();
          const freed = released(signals, id);
          signals.emit(WANTED, id);
          await freed;
        }
        unlisten = signals.listen(WANTED, (wanted) => {
          if (wanted === id) void release();
        });
        polling = setInterval(async () => {
          if (await locks.isWanted(id, owner).catch(() => false)) void release();
        }, POLL_MS);
        // A lost lock is detected when the next part is recorded.
        keeper = locks.keepLock(id, owner);
      },
      async unlock() {
        keeper?.stop();
        clearInterval(polling);
        unlisten();
        await locks.unlock(id, owner);
        signals.emit(FREE, id);
      },
    };
  }
}

/** Waits for the signal that the upload is free, or until the next try is due. */
function released(signals: Signals, id: string): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, RETRY_MS);
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

export function uploadLocked(): Problem {
  return new Problem('upload_locked', 'Another request is writing to this upload.');
}
