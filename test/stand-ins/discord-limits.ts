/** Maximum number of requests in a window. */
export interface Limit {
  requests: number;
  windowMs: number;
}

/** A rejection with the time to wait. */
export interface Refusal {
  scope: 'user' | 'global' | 'shared';
  retryAfterMs: number;
}

/** Counts requests in fixed windows, as Discord's buckets do. */
export class Buckets {
  readonly #windows = new Map<string, { used: number; endsAt: number }>();

  /** Takes one request of the bucket `key`; `remaining` is -1 if it was empty. */
  take(key: string, { requests, windowMs }: Limit): { remaining: number; resetAfterMs: number } {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { used: 0, endsAt: now + windowMs };
      this.#windows.set(key, window);
    }
    if (window.used >= requests) return { remaining: -1, resetAfterMs: window.endsAt - now };
    window.used++;
    return { remaining: requests - window.used, resetAfterMs: window.endsAt - now };
  }
}
