import { mkdirSync } from 'node:fs';

/** Creates the data directory, for its user only, unless it exists. @throws Error with a sentence for the operator */
export function createDataDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`Cannot create POSTHOUSE_DATA_DIR ${dataDir}`, { cause });
  }
}
