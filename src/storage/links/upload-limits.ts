import type { FoundLink, StoredLink } from './link.ts';

/** Default number of files that visitors of a link may send in total. */
export const DEFAULT_MAX_FILES = 1000;

/**
 * Returns the number of bytes that visitors of a link may send in total; by default a quarter of the quota.
 * @param workspaceBytes default quota of a workspace
 */
export function maxBytesOf(
  { maxBytes, workspaceMaxBytes }: Pick<FoundLink, 'maxBytes' | 'workspaceMaxBytes'>,
  workspaceBytes: number,
): number {
  return maxBytes ?? Math.floor((workspaceMaxBytes ?? workspaceBytes) / 4);
}

/** Reports whether visitors have sent as many files, or bytes, as the settings of a link allow. */
export function isLinkFull({ maxFiles, maxBytes, uploadCount, uploadedBytes }: LinkUse): boolean {
  const bytesLeft = maxBytes === null || uploadedBytes < maxBytes;
  return uploadCount >= (maxFiles ?? DEFAULT_MAX_FILES) || !bytesLeft;
}

type LinkUse = Pick<StoredLink, 'maxFiles' | 'maxBytes' | 'uploadCount' | 'uploadedBytes'>;
