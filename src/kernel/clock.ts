/** The only source of time, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Returns ISO 8601 UTC with `Z` and milliseconds, the form of all times in responses. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
