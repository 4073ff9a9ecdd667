import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './statistics.ts';

const PAGE = Buffer.alloc(4_096, 1);
const ROUNDS = 200;

/** Returns the median time to sync a page to the disk of `directory`, in ms; almost none in memory (tmpfs). */
export function syncTime(directory: string): number {
  const path = join(directory, 'sync-time');
  const file = openSync(path, 'w');
  const times = Array.from({ length: ROUNDS }, (_, index) => {
    writeSync(file, PAGE, 0, PAGE.length, index * PAGE.length);
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  unlinkSync(path);
  return median(times);
}
