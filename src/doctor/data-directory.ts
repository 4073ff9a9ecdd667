import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { OTHERS } from '../config/warnings.ts';
import { MB } from '../kernel/bytes.ts';
import { readableSize } from '../text/readable-size.ts';
import { CheckFailed, withRemedy } from './check.ts';

const LOW_SPACE = 1024 * MB;
/** Write permissions of group and others, who could replace the files. */
const OTHERS_WRITE = 0o022;

/**
 * Checks that the data directory is writable, by this user only, and has space. That others can list it is no fault,
 * since all that it contains is private, and the directories of many volumes cannot be changed.
 */
export async function checkDataDirectory({ dataDir }: Config): Promise<string> {
  if (!existsSync(dataDir)) {
    const parent = nearestExisting(dataDir);
    await withRemedy(
      `Give this user write access to ${parent}, or set POSTHOUSE_DATA_DIR to another directory.`,
      () => accessSync(parent, constants.W_OK),
    );
    return `${dataDir} will be created on the first start.`;
  }
  const mode = statSync(dataDir).mode & 0o777;
  await withRemedy(
    `Give this user write access to ${dataDir}, or set POSTHOUSE_DATA_DIR to another directory.`,
    () => rmdirSync(mkdtempSync(join(dataDir, '.doctor-'))),
  );
  if (mode & OTHERS_WRITE)
    throw new CheckFailed(
      `Other users of the machine can write to ${dataDir} (mode ${mode.toString(8)}): run chmod 700 ${dataDir}`,
    );
  const { bavail, bsize } = statfsSync(dataDir);
  const free = bavail * bsize;
  if (free < LOW_SPACE)
    throw new CheckFailed(
      `Only ${readableSize(free)} is free in ${dataDir}: free up space before files and messages are refused.`,
    );
  const finding = `${dataDir} is writable; ${readableSize(free)} free.`;
  return mode & OTHERS
    ? `${finding} Other users of the machine can list its files, but not read them: run chmod 700 ${dataDir}`
    : finding;
}

function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(dirname(directory));
}
