import { MINUTE } from '../kernel/clock.ts';
import { limitKey } from '../kernel/http/address.ts';
import type { AttemptRule } from '../kernel/limits/attempts.ts';

const WINDOW_MS = 15 * MINUTE;

/** Begins every scope under which wrong secrets for a file are counted. */
export function guessScope(fileId: string): string {
  return `file ${fileId}`;
}

/** How many wrong secrets a file takes from one address, and from everywhere. */
export function guessRules(fileId: string, address: string): AttemptRule[] {
  const scope = guessScope(fileId);
  return [
    { scope: `${scope} ${limitKey(address)}`, limit: 10, windowMs: WINDOW_MS },
    { scope: `${scope} all`, limit: 100, windowMs: WINDOW_MS },
  ];
}
