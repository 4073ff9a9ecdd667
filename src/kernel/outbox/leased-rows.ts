import type { Log } from '../log.ts';
import type { Claims } from './claims.ts';
import type { Run } from './message.ts';

interface LeasedRowsDeps {
  claims: Pick<Claims, 'keep' | 'release'>;
  kind: string;
  log: Log;
}

/** The claimed rows whose attempts are not recorded. Their leases are renewed in the background. */
export interface LeasedRows {
  has(id: string): boolean;
  /** Adds the rows of a claimed run, whose leases are renewed from now on. */
  add(run: Run): void;
  /** Stops renewing the lease of a row: it expires, unless recording the outcome has ended it. */
  remove(id: string): void;
  /** Adds the rest of a run that ended to the rows that `releaseUnused` releases. */
  addUnused(rest: Run): void;
  /** Releases the leases of the rows that `addUnused` added. After an error, the next call releases them. */
  releaseUnused(): Promise<void>;
  /** Stops the renewal and releases the remaining leases; those that cannot be released expire. */
  stop(): Promise<void>;
}

export function createLeasedRows({ claims, kind, log }: LeasedRowsDeps): LeasedRows {
  const leased = new Set<string>();
  /** Ids of the leased rows of runs that ended before them. */
  const unused: string[] = [];
  const keeper = claims.keep(
    () => [...leased],
    (error) => log.error({ kind, error }, 'the leases could not be renewed'),
  );

  return {
    has: (id) => leased.has(id),
    add(run) {
      for (const { id } of run) leased.add(id);
    },
    remove: (id) => void leased.delete(id),
    addUnused: (rest) => void unused.push(...rest.map(({ id }) => id)),
    async releaseUnused() {
      if (unused.length === 0) return;
      const ids = [...unused];
      await claims.release(ids);
      for (const id of unused.splice(0, ids.length)) leased.delete(id);
    },
    async stop() {
      keeper.stop();
      await claims
        .release([...leased])
        .catch((error) => log.error({ kind, error }, 'the leases could not be released'));
    },
  };
}
