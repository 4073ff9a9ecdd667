import { SECOND } from '../kernel/clock.ts';
import type { ServerProcess } from './process.ts';

/** Interval of `check`. */
export const CHECK_MS = 5 * SECOND;
/** Checks without a reply after which a process is hung: a minute, many times the longest delay of a busy one. */
const WITHOUT_REPLY = 12;
/** Checks after which a process that has opened its database must be ready: five minutes. */
const UNTIL_READY = 60;

/** Kills processes whose event loop no longer runs, or that do not become ready. */
export interface Hangs {
  /** Watches a process from when its database is open, since a migration may block it for minutes. */
  watch(slot: number, child: ServerProcess): void;
  /** Call every `CHECK_MS`. */
  check(): void;
}

interface Watched {
  slot: number;
  child: ServerProcess;
  isReady: boolean;
  isPinged: boolean;
  /** Checks since the last reply, and until it was ready. */
  withoutReply: number;
  untilReady: number;
}

interface HangsDeps {
  now(): number;
  /** Called before a process is killed. */
  found(slot: number, reason: string): void;
}

/**
 * Counts checks in place of time: a check that is late does not count, because the processes were suspended, or short
 * of CPU time, together with this one.
 */
export function createHangs({ now, found }: HangsDeps): Hangs {
  const all = new Set<Watched>();
  let last = now();

  function checkOne(watched: Watched): void {
    const { slot, child, isReady, isPinged } = watched;
    if (isPinged) watched.withoutReply++;
    if (!isReady) watched.untilReady++;
    const isSilent = watched.withoutReply >= WITHOUT_REPLY;
    if (isSilent || watched.untilReady >= UNTIL_READY) {
      found(slot, isSilent ? 'its event loop is blocked' : 'it does not become ready');
      all.delete(watched);
      child.kill();
    } else if (!isPinged) void ping(watched);
  }

  async function ping(watched: Watched): Promise<void> {
    watched.isPinged = true;
    await watched.child.ping();
    watched.isPinged = false;
    watched.withoutReply = 0;
  }

  return {
    watch(slot, child) {
      const watched = { slot, child, isReady: false, isPinged: false, withoutReply: 0, untilReady: 0 };
      void child.opened.then(() => all.add(watched));
      void child.exited.then(() => all.delete(watched));
      child.ready.then(
        () => {
          watched.isReady = true;
        },
        () => {},
      );
    },
    check() {
      const isLate = now() - last > 2 * CHECK_MS;
      last = now();
      if (!isLate) for (const watched of all) checkOne(watched);
    },
  };
}
