import { cpus, loadavg, totalmem } from 'node:os';

/** The conditions of a run, on which its figures depend. */
export interface Machine {
  /** Abbreviated id of the commit, with `+` when files differ from it. */
  commit: string;
  cores: number;
  processor: string;
  gigabytes: number;
  bun: string;
  /** Average number of processes that used or waited for a core in the last minute. */
  load: number;
}

export function machine(): Machine {
  const git = (...words: string[]) =>
    Bun.spawnSync(['git', ...words], { cwd: import.meta.dir })
      .stdout.toString()
      .trim();
  return {
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+'),
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    gigabytes: Math.round(totalmem() / 2 ** 30),
    bun: Bun.version,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

export function describe({ commit, cores, processor, gigabytes, bun, load }: Machine): string {
  return `Commit ${commit}, ${cores} × ${processor}, ${gigabytes} GB, Bun ${bun}, load ${load}.`;
}
