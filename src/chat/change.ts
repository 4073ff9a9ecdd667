import type { Database, Transaction } from '../kernel/database/database.ts';
import type { Outbox } from '../kernel/outbox/outbox.ts';
import { CHAT } from './payload.ts';
import type { Targets } from './targets.ts';

interface ChangeDeps {
  database: Database;
  targets: Targets;
  outbox: Outbox;
}

/** Commits a change to clients, guilds or channels, and makes every node read them again. */
export type Change = <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;

export function createChange({ database, targets, outbox }: ChangeDeps): Change {
  return async (work) => {
    const result = await database.transaction(work);
    targets.forget();
    // The change may release messages that were held back.
    outbox.wake(CHAT);
    return result;
  };
}
