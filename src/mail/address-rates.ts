import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createRateLimit } from '../kernel/limits/rates.ts';
import { createSharedRates } from '../kernel/limits/shared-rates.ts';

interface AddressRatesDeps {
  database: Database;
  clock: Clock;
  /** Distinguishes the keys from those of other limits. */
  name: string;
  burst: number;
  perMinute: number;
}

/** A rate limit by address, shared by all nodes. An address that exceeds it on this node alone costs no query. */
export interface AddressRates {
  /** Counts one message and returns 0, or counts none and returns the ms until the address may send again. */
  take(key: string): Promise<number>;
  /** Deletes the counts of addresses that have sent nothing for a while. */
  sweep(): Promise<void>;
}

export function createAddressRates(deps: AddressRatesDeps): AddressRates {
  const { database, clock, name, burst, perMinute } = deps;
  const own = createRateLimit({ burst, perMinute, clock });
  const shared = createSharedRates({ database, name, burst, perMinute });
  return {
    take: async (key) =>
      own.take(key) ||
      (await database.transaction(async (trx) => {
        const buckets = await shared.open(trx, [key]);
        const wait = buckets.take(key);
        await buckets.save();
        return wait;
      })),
    sweep: shared.sweep,
  };
}
