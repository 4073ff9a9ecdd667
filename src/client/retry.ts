import { retryAfter } from './error.ts';

export type Fetch = (request: Request) => Promise<Response>;

const TRANSIENT = new Set([429, 502, 503, 504]);
const IDEMPOTENT = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']);
const FIRST_PAUSE_MS = 250;
/** Maximum pause that a server can request; a response that requests a longer one is final. */
export const MAX_PAUSE_MS = 30_000;

interface RetryOptions {
  fetch: Fetch;
  /** Maximum number of retries after the first attempt. */
  retries: number;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Retries requests without a response or with status 429, 502, 503 or 504, after `Retry-After` or an
 * increasing pause. Retries only requests that are safe to repeat: idempotent methods (RFC 9110 §9.2.2) and
 * those with an `Idempotency-Key`.
 */
export function withRetries({ fetch, retries, pause = wait }: RetryOptions): Fetch {
  return async (request) => {
    const maxRetries = isRepeatable(request) ? retries : 0;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= maxRetries;
      // A request whose body was read cannot be sent again.
      const outcome = await attemptOf(fetch, isLast ? request : (request.clone() as Request));
      if (isLast || request.signal.aborted) return settled(outcome);
      const wanted = outcome instanceof Response ? pauseAfter(outcome, attempt) : backoff(attempt);
      if (wanted === null) return settled(outcome);
      if (outcome instanceof Response) await outcome.body?.cancel().catch(() => {});
      await pause(wanted, request.signal);
    }
  };
}

function isRepeatable({ method, headers }: Request): boolean {
  return IDEMPOTENT.has(method) || headers.has('Idempotency-Key');
}

async function attemptOf(fetch: Fetch, request: Request): Promise<Response | { error: unknown }> {
  try {
    return await fetch(request);
  } catch (error) {
    return { error };
  }
}

function settled(outcome: Response | { error: unknown }): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome.error;
}

/** Returns the pause before a retry in milliseconds; null = the response is final. */
function pauseAfter({ status, headers }: Response, attempt: number): number | null {
  if (!TRANSIENT.has(status)) return null;
  const wanted = retryAfter(headers.get('Retry-After')) ?? backoff(attempt);
  return wanted > MAX_PAUSE_MS ? null : wanted;
}

function backoff(attempt: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    // A signal that was aborted before has no further event.
    if (signal.aborted) done();
  });
}
