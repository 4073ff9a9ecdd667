import { createRateLimit } from '../limits/rates.ts';

/** CPU time: `burstMs` at once, then `msPerMinute` per minute. */
export interface CpuShare {
  burstMs: number;
  msPerMinute: number;
}

/**
 * CPU time that children may use at the priority of the server. Short jobs run at that priority, so that they also end
 * soon on a busy machine. All owners together get a quarter of a core.
 */
export interface CpuShares {
  /** Reports whether the owner, and all owners together, have time left. */
  isOpen(owner: string): boolean;
  /** Records that a job of the owner has used `ms` of CPU time. */
  take(owner: string, ms: number): void;
}

export interface CpuSharesDeps {
  own?: CpuShare;
  all?: CpuShare;
}

const OWN: CpuShare = { burstMs: 1_000, msPerMinute: 6_000 };
const ALL: CpuShare = { burstMs: 4_000, msPerMinute: 15_000 };
/** The only key of `everybody`. */
const EVERYBODY = '';

export function createCpuShares({ own = OWN, all = ALL }: CpuSharesDeps = {}): CpuShares {
  const clock = { now: () => performance.now() };
  const limitOf = ({ burstMs, msPerMinute }: CpuShare) =>
    createRateLimit({ burst: burstMs, perMinute: msPerMinute, clock });
  const owners = limitOf(own);
  const everybody = limitOf(all);
  return {
    isOpen: (owner) => owners.waitFor(owner) === 0 && everybody.waitFor(EVERYBODY) === 0,
    take(owner, ms) {
      owners.take(owner, ms);
      everybody.take(EVERYBODY, ms);
    },
  };
}
