import { unreachable } from './error.ts';
import type { Fetch } from './retry.ts';

const JSON_TYPE = /^application\/(?:problem\+)?json\b/i;
/** Maximum time of a timer (HTML Standard §8.6): one that is set to more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const FORM_TYPE = /^(?:application\/x-www-form-urlencoded|text\/)/i;

/**
 * Aborts requests whose response does not begin within `ms`; a response in JSON must also end by then. Downloads of
 * files may take longer, and uploads, which have limits of their own. @throws PosthouseError `unreachable`
 */
export function withTimeLimit(fetch: Fetch, ms: number): Fetch {
  return async (request) => {
    if (isUpload(request)) return await fetch(request);
    const limit = new AbortController();
    const stop = () => limit.abort(request.signal.reason);
    request.signal.addEventListener('abort', stop);
    if (request.signal.aborted) stop();
    const timer = setTimeout(() => limit.abort(unreachable()), Math.min(ms, MAX_TIMER_MS));
    try {
      const response = await fetch(new Request(request, { signal: limit.signal }));
      if (isFile(response) || !JSON_TYPE.test(typeOf(response))) return response;
      const body = await response.arrayBuffer();
      // A response with status 204 has no body, not even an empty one.
      return new Response(body.byteLength > 0 ? body : null, response);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Files of any type have this field, JSON of the server itself does not. */
const isFile = ({ headers }: Response): boolean => headers.has('Content-Disposition');

const typeOf = ({ headers }: Request | Response): string => headers.get('Content-Type') ?? '';

function isUpload(request: Request): boolean {
  const type = typeOf(request);
  return type !== '' && !JSON_TYPE.test(type) && !FORM_TYPE.test(type);
}

/** Calls `end` when `moved` is not called for `ms`, unless `stop` was called before. */
export function createStallTimer(ms: number, end: () => void): { moved(): void; stop(): void } {
  const start = () => setTimeout(end, Math.min(ms, MAX_TIMER_MS));
  let timer: ReturnType<typeof setTimeout> | null = start();
  return {
    moved() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = start();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}

/** Returns a function that stops the timer, removes the listener of an upload, and then calls `end`. */
export function createSettle(stalled: { stop(): void }, signal: AbortSignal | undefined, stop: () => void) {
  return (end: () => void) => {
    stalled.stop();
    signal?.removeEventListener('abort', stop);
    end();
  };
}
