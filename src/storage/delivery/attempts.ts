import { MINUTE } from '../../kernel/clock.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { AttemptRule } from '../../kernel/limits/attempts.ts';

const WINDOW_MS = 15 * MINUTE;

/** Returns the beginning of every scope under which wrong secrets for a file are counted. */
export function attemptScope(fileId: string): string {
  return `file ${fileId}`;
}

/** Returns the limits for wrong secrets of a file: from one address, and from all. */
export function attemptRules(fileId: string, address: string): AttemptRule[] {
  const scope = attemptScope(fileId);
  return [
    { scope: `${scope} ${limitKey(address)}`, limit: 10, windowMs: WINDOW_MS },
    { scope: `${scope} all`, limit: 100, windowMs: WINDOW_MS },
  ];
}
