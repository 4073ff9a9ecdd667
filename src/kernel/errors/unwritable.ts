import { isStorageFull } from './storage-full.ts';
import { throwUnlessUnavailable } from './unavailable.ts';

/** Ignores the error of an optional write when a disk is full or an engine cannot be used. @throws other errors */
export function throwUnlessUnwritable(error: unknown): void {
  if (!isStorageFull(error)) throwUnlessUnavailable(error);
}
