import type { FoundLink } from './link.ts';

/** Files that visitors of a link may send in total, unless the link says otherwise. */
export const DEFAULT_MAX_FILES = 1000;

/**
 * Returns the bytes that visitors of a link may send in total: a quarter of the quota, unless the link says otherwise.
 * @param workspaceBytes default quota of a workspace
 */
export function maxBytesOf(
  { maxBytes, workspaceMaxBytes }: Pick<FoundLink, 'maxBytes' | 'workspaceMaxBytes'>,
  workspaceBytes: number,
): number {
  return maxBytes ?? Math.floor((workspaceMaxBytes ?? workspaceBytes) / 4);
}
