import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Vault } from './vault.ts';

/** A column of values that `Vault.seal` has sealed for their rows. */
export interface SealedColumn {
  table: string;
  column: string;
  purpose: string;
  /** Column with the row that the values are sealed for. */
  row: string;
  /** The only row with a sealed value; absent = all rows. */
  only?: string;
}

export interface Resealed {
  /** Number of values now sealed with the newest key. */
  values: number;
  /** Number of values that no key opens; they are not changed. */
  unreadable: number;
}

/** Rows per batch. Other work runs between two batches. */
const BATCH = 500;

/** Seals every value of `columns` with the newest key, except those that it has sealed already. */
export async function reseal(
  database: Database,
  vault: Vault,
  columns: readonly SealedColumn[],
): Promise<Resealed> {
  const total = { values: 0, unreadable: 0 };
  for (const column of columns) {
    for await (const batch of batches(database, column)) {
      const changes = batch.map((found) => ({ ...found, ...renew(vault, column, found) }));
      total.values += changes.filter(({ after }) => after !== null).length;
      total.unreadable += changes.filter(({ after }) => after === null).length;
      await store(database, column, changes);
    }
  }
  return total;
}

interface Found {
  row: string;
  value: string;
}

async function* batches(database: Database, { table, column, row, only }: SealedColumn) {
  let last = '';
  for (;;) {
    const { rows } = await sql<{ row: string; value: string | null }>`
      select ${sql.ref(row)} as row, ${sql.ref(column)} as value from ${sql.table(table)}
      where ${only === undefined ? sql`${sql.ref(row)} > ${last}` : sql`${sql.ref(row)} = ${only}`}
      order by ${sql.ref(row)} limit ${sql.lit(BATCH)}`.execute(database.read);
    yield rows.filter((found): found is Found => found.value !== null);
    const next = rows.at(-1)?.row;
    if (next === undefined || only !== undefined || rows.length < BATCH) return;
    last = next;
  }
}

/** Returns the value as it should be stored; null when no key opens it. */
function renew(vault: Vault, { purpose }: SealedColumn, { row, value }: Found): { after: string | null } {
  if (vault.isCurrent(value)) return { after: value };
  try {
    return { after: vault.seal(purpose, row, vault.open(purpose, row, value)) };
  } catch {
    return { after: null };
  }
}

async function store(
  database: Database,
  { table, column, row }: SealedColumn,
  changes: readonly (Found & { after: string | null })[],
): Promise<void> {
  const wanted = changes.filter(({ value, after }) => after !== null && after !== value);
  if (wanted.length === 0) return;
  await database.transaction(async (trx) => {
    for (const { row: of, value, after } of wanted) {
      // Skips a value that was changed in the meantime.
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after}
        where ${sql.ref(row)} = ${of} and ${sql.ref(column)} = ${value}`.execute(trx);
    }
  });
}
