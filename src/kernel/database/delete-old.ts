import {
  type AnyColumn,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { inBatches } from './batches.ts';
import type { Database, Tables } from './database.ts';

/** Maximum number of rows that one transaction deletes, so that it delays no others and ends within its time limit. */
export const ROWS_AT_ONCE = 1_000;

/**
 * Deletes the rows of a table that `isOld` selects, in short transactions.
 * @param key the columns of the table's primary key
 */
export async function deleteOld<Table extends keyof Tables & string>(
  database: Pick<Database, 'transaction'>,
  table: Table,
  key: readonly AnyColumn<Tables, Table>[],
  isOld: (where: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>,
): Promise<void> {
  const condition = isOld(expressionBuilder<Tables, Table>());
  const columns = sql.join(key.map((column) => sql.ref(column)));
  // The outer condition protects rows that another transaction renews meanwhile.
  const statement = sql`delete from ${sql.table(table)} where ${condition} and (${columns}) in
    (select ${columns} from ${sql.table(table)} where ${condition} limit ${sql.lit(ROWS_AT_ONCE)})`;
  await inBatches(database, async (trx) => {
    const { numAffectedRows = 0n } = await statement.execute(trx);
    return numAffectedRows >= BigInt(ROWS_AT_ONCE);
  });
}
