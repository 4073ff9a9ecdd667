import type { Database, Transaction } from '../kernel/database/database.ts';

/**
 * Locks an account until the end of the transaction. Call it in each transaction that starts or ends sessions, creates
 * a token or sets the password, before the check of the password or session that permits the change, so that no other
 * transaction replaces or ends these meanwhile.
 */
export async function lockAccount(
  database: Pick<Database, 'lock'>,
  trx: Transaction,
  accountId: string,
): Promise<void> {
  const row = trx.selectFrom('accounts').select('id').where('id', '=', accountId);
  await database.lock(trx, accountId, row);
}
