import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newToken } from '../../kernel/ids.ts';
import { SIGNING_ALGORITHM } from './names.ts';

/** What the embedded issuer signs with; all nodes have the same. */
export interface IssuerKeys {
  /** RFC 7517: private keys. */
  jwks: { keys: Record<string, string>[] };
  /** Of the issuer's own cookies. */
  cookieKeys: string[];
  /** Of the one client, ourselves. */
  clientSecret: string;
}

const FACT = 'issuer_keys';
const ES256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The keys in the database, made there the first time. */
export async function loadIssuerKeys(database: Database, vault: Vault): Promise<IssuerKeys> {
  const known = await database.read.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirst();
  if (known) return JSON.parse(vault.open(FACT, known.value)) as IssuerKeys;
  const sealed = vault.seal(FACT, JSON.stringify(await makeKeys()));
  const { value } = await database.transaction(async (trx) => {
    // Of two nodes that start at once, both take the keys of the first.
    await trx
      .insertInto('facts')
      .values({ name: FACT, value: sealed })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return await trx.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirstOrThrow();
  });
  return JSON.parse(vault.open(FACT, value)) as IssuerKeys;
}

async function makeKeys(): Promise<IssuerKeys> {
  const { privateKey } = await crypto.subtle.generateKey(ES256, true, ['sign', 'verify']);
  const { kty = '', crv = '', x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const signing = { kty, crv, x, y, d, alg: SIGNING_ALGORITHM, use: 'sig', kid: newToken(8) };
  return { jwks: { keys: [signing] }, cookieKeys: [newToken(32)], clientSecret: newToken(32) };
}
