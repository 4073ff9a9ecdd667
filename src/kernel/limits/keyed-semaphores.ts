import { createSemaphore, type FairQueueLimits, type Semaphore } from './fair-queue.ts';

/** A semaphore for each key, such as the id of a row. */
export interface KeyedSemaphores {
  /** As `Semaphore.acquire`. */
  acquire(key: string, owner: string): Promise<() => void>;
  /** As `Semaphore.tryAcquire`. */
  tryAcquire(key: string, owner: string): (() => void) | null;
}

/** Creates semaphores when they are first needed, and keeps them while they are in use. */
export function createKeyedSemaphores(limits: FairQueueLimits): KeyedSemaphores {
  const inUse = new Map<string, { semaphore: Semaphore; uses: number }>();

  function use(key: string) {
    const entry = inUse.get(key) ?? { semaphore: createSemaphore(limits), uses: 0 };
    inUse.set(key, entry);
    entry.uses++;
    return entry.semaphore;
  }

  function end(key: string): void {
    const entry = inUse.get(key);
    if (entry && --entry.uses === 0) inUse.delete(key);
  }

  const releasing = (key: string, release: () => void) => () => {
    release();
    end(key);
  };

  return {
    async acquire(key, owner) {
      const acquiring = use(key).acquire(owner);
      acquiring.catch(() => end(key));
      return releasing(key, await acquiring);
    },
    tryAcquire(key, owner) {
      const release = use(key).tryAcquire(owner);
      if (release) return releasing(key, release);
      end(key);
      return null;
    },
  };
}
