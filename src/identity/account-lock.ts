import type { Database, Transaction } from '../kernel/database/database.ts';

/**
 * Locks an account until the end of the transaction. Call it in each transaction that starts or ends sessions, creates a
 * token or sets the password, before the check of the password or session that permits the change, so that no other
 * transaction replaces or ends these meanwhile. SQLite runs one transaction at a time and needs no lock.
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
