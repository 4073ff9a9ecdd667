import type { Reader, Transaction } from './database.ts';

/** Returns the value of a fact; null = there is none. */
export async function readFact(reader: Reader, name: string): Promise<string | null> {
  const row = await reader.selectFrom('facts').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Stores a fact unless there is one; returns the stored value. Nodes that start together all get that of the first. */
export async function addFact(trx: Transaction, name: string, value: string): Promise<string> {
  const row = await trx
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({ value: set.ref('facts.value') })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

/** Stores a fact, or replaces its value. */
export async function putFact(trx: Transaction, name: string, value: string): Promise<void> {
  await trx
    .insertInto('facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
