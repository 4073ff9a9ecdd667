import { accessSync, constants, mkdirSync } from 'node:fs';

/**
 * Creates the data directory, for its user only, unless it exists.
 * @throws Error with a sentence for the operator when it cannot be created or written
 */
export function createDataDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(
      `Cannot create POSTHOUSE_DATA_DIR ${dataDir}: set it to a directory that this user can create`,
      {
        cause,
      },
    );
  }
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`Cannot write to POSTHOUSE_DATA_DIR ${dataDir}: give this user write access`, { cause });
  }
}
