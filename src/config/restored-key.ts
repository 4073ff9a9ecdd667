import { linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { createDataDirectory } from './data-dir.ts';
import { keyFile, writeBeside } from './server-keys.ts';

/**
 * Returns a second name of the key file, which it has from the time when a restore places it until that restore
 * succeeds, so that the key of a killed restore is not taken for that of another database.
 */
const unfinishedName = (dataDir: string) => `${keyFile(dataDir)}.restoring`;

/**
 * Creates the key file for the time of a restore. Replaces that of a killed restore.
 * @throws Error when there is another
 */
export function placeRestoredKey(dataDir: string, text: string): void {
  createDataDirectory(dataDir);
  removeRestoredKey(dataDir);
  renameSync(writeBeside(keyFile(dataDir), text), unfinishedName(dataDir));
  linkSync(unfinishedName(dataDir), keyFile(dataDir));
}

/** Keeps the key file for good, since a database uses it. Does nothing when no restore has placed it. */
export function keepRestoredKey(dataDir: string): void {
  rmSync(unfinishedName(dataDir), { force: true });
}

/** Removes the key file of a restore that failed or was killed. Does nothing when the key file is another one. */
export function removeRestoredKey(dataDir: string): void {
  if (isKeyUnfinished(dataDir)) rmSync(keyFile(dataDir), { force: true });
  rmSync(unfinishedName(dataDir), { force: true });
}

/** Reports whether the key file was placed by a restore that has not succeeded. */
export function isKeyUnfinished(dataDir: string): boolean {
  const [placed, used] = [unfinishedName(dataDir), keyFile(dataDir)].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return placed !== undefined && placed.ino === used?.ino && placed.dev === used.dev;
}
