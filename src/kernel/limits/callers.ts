import { AsyncLocalStorage } from 'node:async_hooks';
import { limitKey } from '../ip.ts';

/** A request, and for whom limits count its work. */
export interface Requester {
  /** Id of the caller; absent or null = it has none, and the network of its address counts. */
  callerId?: string | null;
  readonly address: string;
}

/**
 * Records for whom work runs, in its asynchronous context, for limits that are fair between callers. Transactions need
 * it: passed as an argument, the caller would pass through every function that writes.
 */
export interface Callers {
  /** Runs `work`, which belongs to a request, with all that it starts. */
  run<Result>(request: Requester, work: () => Result): Result;
  /** Returns the caller of the running work: an id, or a network; the empty string = the program itself. */
  current(): string;
}

/** The caller of a program that serves nobody else, such as a command. */
export const noCaller = () => '';

export function createCallers(): Callers {
  const requests = new AsyncLocalStorage<Requester>();
  return {
    run: (request, work) => requests.run(request, work),
    current() {
      const request = requests.getStore();
      return request ? (request.callerId ?? limitKey(request.address)) : '';
    },
  };
}

/**
 * Returns a function that calls `work` in the asynchronous context of this call, such as the start of the program: for
 * work that is started by a request and continues for others.
 */
export function inThisContext<Args extends unknown[], Result>(
  work: (...args: Args) => Result,
): (...args: Args) => Result {
  return AsyncLocalStorage.bind(work);
}
