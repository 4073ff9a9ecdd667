import { MINUTE } from '../../kernel/clock.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { AttemptRule } from '../../kernel/limits/attempts.ts';
import type { Shared } from './protected.ts';

const WINDOW_MS = 15 * MINUTE;

/** Returns the prefix of every scope under which wrong secrets are counted. @param id of the file or link */
export function attemptScope(shared: Shared, id: string): string {
  return `${shared} ${id}`;
}

/** Returns the limits for wrong secrets of a file or link: from one address, and from all. */
export function attemptRules(scope: string, address: string): AttemptRule[] {
  return [
    { scope: `${scope} ${limitKey(address)}`, limit: 10, windowMs: WINDOW_MS },
    { scope: `${scope} all`, limit: 100, windowMs: WINDOW_MS },
  ];
}
