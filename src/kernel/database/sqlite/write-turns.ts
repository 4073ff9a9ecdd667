import { createPause } from '../../event-loop/pause.ts';
import type { Signals } from '../signals.ts';

/**
 * Turns of the processes that write to one SQLite database. The lock of SQLite is not fair: a process that writes
 * continuously would retake it before a polling process sees it free. Signals may be lost or late, so each wait has a
 * limit.
 */
export interface WriteTurns {
  /** Waits until the processes that wanted the lock have had their turn. Call before taking the lock. */
  yield(): Promise<void>;
  /** Waits until another process releases the lock, at most `ms`. */
  wait(ms: number): Promise<void>;
  /** Call after releasing the lock. */
  released(): void;
}

const WANTED = 'write-lock-wanted';
const FREE = 'write-lock-free';
/** Time in which another process takes the lock, and releases it again. */
const YIELD_MS = 4;

export function createWriteTurns(signals: Signals): WriteTurns {
  let isWanted = false;
  let mustYield = false;
  /** Signals of this process reach its own listeners too. */
  let isOwn = false;
  const pause = createPause();
  const emit = (channel: string) => {
    isOwn = true;
    signals.emit(channel);
    isOwn = false;
  };
  signals.listen(WANTED, () => {
    isWanted ||= !isOwn;
  });
  signals.listen(FREE, () => {
    if (!isOwn) pause.end();
  });

  async function wait(ms: number): Promise<void> {
    emit(WANTED);
    await pause.wait(ms);
  }

  return {
    wait,
    async yield() {
      if (!mustYield) return;
      mustYield = false;
      await wait(YIELD_MS);
    },
    released() {
      if (!isWanted) return;
      isWanted = false;
      mustYield = true;
      emit(FREE);
    },
  };
}
