import type { Database, Transaction } from '../kernel/database/database.ts';

/**
 * Locks an account until the end of the transaction. A transaction that starts or ends sessions, creates a token or
 * sets the password takes it before it checks the password or the session on which it is based, so that no other
 * transaction replaces or ends them at the same time. SQLite runs one transaction at a time and needs no lock.
 */
export async function lockAccount(
  { kind }: Pick<Database, 'kind'>,
  trx: Transaction,
  accountId: string,
): Promise<void> {
  if (kind !== 'postgres') return;
  // FOR UPDATE would also block the checks of foreign keys.
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}
