import { type Resealed, reseal } from '../kernel/crypto/reseal.ts';
import type { ServerKeys, Vault } from '../kernel/crypto/vault.ts';
import type { Database } from '../kernel/database/database.ts';
import { addFact, putFact, readFact } from '../kernel/database/facts.ts';
import { SEALED } from './sealed.ts';

/** Name of the fact that holds the id of the server key with which every stored secret is sealed. */
export const KEY_FACT = 'server_key';

/** Reports whether `vault` has the key of a database. @param known value of `KEY_FACT` */
export function hasKeyOf(vault: Vault, known: string): boolean {
  // Earlier versions stored a signature.
  return vault.keyIds().includes(known) || vault.verify('server key', 'mark', known);
}

/**
 * Checks that this node has the key of the database: with another, it could neither open existing secrets nor seal new
 * ones for the other nodes.
 * @throws Error with a sentence for the operator
 */
export async function checkServerKey(
  database: Database,
  vault: Vault,
  serverKeys: Pick<ServerKeys, 'reload'>,
): Promise<void> {
  const [newest = ''] = vault.keyIds();
  const known = await database.transaction((trx) => addFact(trx, KEY_FACT, newest));
  if (hasKeyOf(vault, known)) return;
  // A rotation may have replaced the keys since they were read.
  serverKeys.reload();
  if (hasKeyOf(vault, known)) return;
  throw new Error(
    'This database was used with another server key. Set POSTHOUSE_SECRET to the same value on every node, or ' +
      'restore the key file (secret.key) in the data directory.',
  );
}

/** Seals every stored secret with the newest key, and records that in the database. */
export async function resealAll(database: Database, vault: Vault): Promise<Resealed> {
  const [newest = ''] = vault.keyIds();
  const resealed = await reseal(database, vault, SEALED);
  await database.transaction((trx) => putFact(trx, KEY_FACT, newest));
  return resealed;
}

/** Calls `resealAll` when the newest key differs from the recorded one. */
export async function resealAfterChange(database: Database, vault: Vault): Promise<void> {
  if ((await readFact(database.read, KEY_FACT)) !== vault.keyIds()[0]) await resealAll(database, vault);
}
