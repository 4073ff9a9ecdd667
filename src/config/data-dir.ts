import { mkdirSync } from 'node:fs';

/** Creates the data directory, for its user only, unless it exists. @throws Error with a sentence for the operator */
export function createDataDirectory(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Error(`POSTHOUSE_DATA_DIR is ${dataDir}, which cannot be created`, { cause });
  }
}
