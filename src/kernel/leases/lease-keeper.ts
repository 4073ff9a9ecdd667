import type { Clock } from '../clock.ts';
import { repeat } from '../event-loop/repeat.ts';

/** Renewals within the length of a lease: two in a row may fail. */
const RENEWALS = 3;

/** Rows leased by one holder. */
export interface Holding {
  ids(): readonly string[];
  /** Required where the leases have a column for it. */
  owner?: string;
  /** A time before the leases were taken, on this node's clock. */
  since?: number;
  /** Called when a renewal fails. The next one follows nevertheless. */
  failed?(error: unknown): void;
}

/** Renews leases in the background until it is stopped. */
export interface LeaseKeeper {
  /** Reports whether all leases were renewed in time, measured from before each request to the database. */
  isHeld(): boolean;
  /** Stops renewing. The leases expire unless they are released. */
  stop(): void;
}

interface KeeperDeps {
  /** Extends the leases that `owner` still holds; returns their number. */
  renew(ids: readonly string[], owner?: string): Promise<number>;
  clock: Clock;
  lengthMs: number;
}

/** Begins to renew the leases of a holder, `lengthMs` long, in the background. */
export function keepLeases(
  { ids, owner, since, failed = () => {} }: Holding,
  { renew, clock, lengthMs }: KeeperDeps,
): LeaseKeeper {
  let heldUntil = (since ?? clock.now()) + lengthMs;
  const renewAll = async () => {
    const all = ids();
    const started = clock.now();
    if ((await renew(all, owner)) === all.length) heldUntil = started + lengthMs;
  };
  const stop = repeat(lengthMs / RENEWALS, () => renewAll().catch(failed));
  return { isHeld: () => clock.now() < heldUntil, stop };
}
