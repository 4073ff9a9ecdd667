import type { Clock } from '../clock.ts';
import { createTurns } from './turns.ts';

/** At most so many of each key in any window of `windowMs`, wherever it begins. In memory of this node. */
export interface WindowLimit {
  /**
   * Takes one; gives 0, or the ms until a turn of its own (and takes none).
   * @param waited it was told a turn before; who was not queues behind those who were
   */
  take(key: string, count: number, waited: boolean): number;
  /** Takes back the latest that was taken: it was not used. */
  giveBack(key: string): void;
}

/** What a process before this one let through is not known, so the first window counts as full: a restart gives nothing twice. */
export function createWindowLimit({ windowMs, clock }: { windowMs: number; clock: Clock }): WindowLimit {
  const opened = clock.now();
  const taken = new Map<string, number[]>();
  const turns = createTurns(clock);

  /** When the next may pass, ms since the epoch. */
  function free(times: readonly number[], count: number): number {
    const first = times.at(-count);
    return Math.max(opened, first ?? opened - windowMs) + windowMs;
  }

  return {
    take(key, count, waited) {
      const now = clock.now();
      const recent = (taken.get(key) ?? []).filter((at) => at <= now && at > now - windowMs);
      taken.delete(key);
      if (recent.length > 0) taken.set(key, recent);
      // However the clock was turned back.
      const wait = Math.min(windowMs, free(recent, count) - now);
      if (wait > 0 || (!waited && turns.ahead(key))) return turns.next(key, Math.max(0, wait), windowMs / count);
      taken.set(key, [...recent, now]);
      return 0;
    },
    giveBack: (key) => void taken.get(key)?.pop(),
  };
}
