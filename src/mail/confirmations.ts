import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { createAddressLimit } from './address-limit.ts';

/** An address receives this many at once, and then three an hour, of all clients together. */
const LIMIT = { burst: 3, perMinute: 3 / 60 };

/** The limit of confirmations to visitors, who may enter an address of another person. */
export interface Confirmations {
  /** Counts a confirmation to a mailbox. Returns false when it has received too many. */
  take(address: string): Promise<boolean>;
  sweep(): Promise<void>;
}

export function createConfirmations(deps: { database: Database; clock: Clock }): Confirmations {
  const limit = createAddressLimit({ ...deps, ...LIMIT, name: 'confirmation' });
  return {
    take: async (address) => (await limit.take(mailboxOf(address))) === 0,
    sweep: limit.sweep,
  };
}

/** Returns one text for the addresses that many providers deliver to one mailbox: with tags, dots, in any case. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const name = address.slice(0, at).split('+', 1)[0]?.replaceAll('.', '') ?? '';
  return `${name}${address.slice(at)}`.toLowerCase();
}
