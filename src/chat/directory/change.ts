import type { Database, Transaction } from '../../kernel/database/database.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { CHAT } from '../sending/payload.ts';

interface ChangeDeps {
  database: Database;
  outbox: Outbox;
}

/** Commits a change to clients, guilds or channels. */
export type Change = <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;

export function createChange({ database, outbox }: ChangeDeps): Change {
  return async (work) => {
    const result = await database.transaction(work);
    // The change may release messages that were held back.
    outbox.wake(CHAT);
    return result;
  };
}
