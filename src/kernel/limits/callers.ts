import { AsyncLocalStorage } from 'node:async_hooks';
import { limitKey } from '../ip.ts';
import { PROGRAM } from './round-robin.ts';

/** A request, and the caller for which its transactions count. */
export interface Requester {
  /** Id of the caller; absent or null = it has none, and the network of its address counts. */
  callerId?: string | null;
  readonly address: string;
}

/**
 * Records the caller of the running work in its asynchronous context, so that callers can take turns with their
 * transactions: as an argument, it would pass through every function that writes.
 */
export interface Callers {
  /** Runs `work`, which handles a request. It belongs to the request until its result is ready. */
  run<Result>(request: Requester, work: () => Result | Promise<Result>): Result | Promise<Result>;
  /** Returns the caller of the running work, an id or a network; `PROGRAM` outside of requests. */
  current(): string;
  /** Records a read that has succeeded. */
  recordRead(request: Pick<Requester, 'callerId'>): void;
  /**
   * Returns when anyone other than `caller` last read (`performance.now()`); `-Infinity` = never. Reads by callers
   * without an id count as reads by others, for every caller.
   */
  lastReadByOthers(caller: string): number;
}

/** The callers of a program without requests. */
export const NO_CALLERS: Pick<Callers, 'current' | 'lastReadByOthers'> = {
  current: () => PROGRAM,
  lastReadByOthers: () => Number.NEGATIVE_INFINITY,
};

interface Read {
  callerId?: string | null;
  at: number;
}

/** @param clock time in ms */
export function createCallers(clock = () => performance.now()): Callers {
  const scopes = new AsyncLocalStorage<{ request: Requester | null }>();
  /** The last read, and the last one by another caller than that. */
  let last: Read = { at: Number.NEGATIVE_INFINITY };
  let other: Read = last;
  return {
    run(request, work) {
      // Work that a request starts can outlive it, such as timers. It must neither keep the request in memory nor count
      // for its caller.
      const scope: { request: Requester | null } = { request };
      const end = () => {
        scope.request = null;
      };
      const result = scopes.run(scope, work);
      if (result instanceof Promise) return result.finally(end);
      end();
      return result;
    },
    current() {
      const request = scopes.getStore()?.request;
      return request ? (request.callerId ?? limitKey(request.address)) : PROGRAM;
    },
    recordRead({ callerId }) {
      const at = clock();
      if (callerId === last.callerId) {
        last.at = at;
        return;
      }
      other = last;
      last = { callerId, at };
    },
    lastReadByOthers: (caller) => (last.callerId === caller ? other : last).at,
  };
}

/**
 * Returns a function that calls `work` in the asynchronous context of this call, such as the start of the program: for
 * work that a request starts and that serves others too.
 */
export function inThisContext<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return AsyncLocalStorage.bind(work);
}
