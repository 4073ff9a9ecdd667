import { SECOND } from '../../clock.ts';
import { createCompute } from '../../compute/compute.ts';
import type { Log } from '../../log.ts';
import { programFile } from '../../program-files.ts';

/** CPU time of a copy, and of each page; a slow disk may take five times as long. */
const COPY_MS = 10 * SECOND;
const PAGE_MS = 1;
const LIFE_SECONDS = 7_200;

/** Copies the log of a SQLite database to the database file, in a child process. */
export interface LogCopier {
  /**
   * Copies the pages that no reader needs, while others read and write.
   * @param pages number of pages in the log; the time limit grows with it, since an interrupted copy starts over
   * @throws Error when it failed, JobKilled or Unavailable when it took too long
   */
  copy(pages: number): Promise<void>;
  stop(): void;
}

export function createLogCopier(file: string, log: Log): LogCopier {
  const compute = createCompute({
    name: 'checkpoint',
    log,
    program: programFile('kernel/database/sqlite/checkpoint-child'),
    args: [file],
    children: 1,
    ms: COPY_MS,
    limits: { cpuSeconds: LIFE_SECONDS },
    output: 1_000,
  });
  return {
    async copy(pages) {
      await compute.run('server', { value: null }, { ms: COPY_MS + pages * PAGE_MS });
    },
    stop: compute.stop,
  };
}
