import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { addFact, readFact } from '../../kernel/database/facts.ts';
import { newToken } from '../../kernel/ids.ts';
import { SIGNING_ALGORITHM } from './names.ts';

/** Keys of the embedded issuer, the same on all nodes. */
export interface IssuerKeys {
  /** RFC 7517: private keys. */
  jwks: { keys: Record<string, string>[] };
  /** Keys that sign the cookies of the issuer. */
  cookieKeys: string[];
  /** Secret of the only client, this server. */
  clientSecret: string;
}

export const ISSUER_KEYS = 'issuer_keys';
const ES256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** Reads the keys from the database; creates them the first time. */
export async function loadIssuerKeys(database: Database, vault: Vault): Promise<IssuerKeys> {
  let sealed = await readFact(database.read, ISSUER_KEYS);
  if (sealed === null) {
    const created = vault.seal(ISSUER_KEYS, ISSUER_KEYS, JSON.stringify(await createKeys()));
    sealed = await database.transaction((trx) => addFact(trx, ISSUER_KEYS, created));
  }
  return JSON.parse(vault.open(ISSUER_KEYS, ISSUER_KEYS, sealed)) as IssuerKeys;
}

async function createKeys(): Promise<IssuerKeys> {
  const { privateKey } = await crypto.subtle.generateKey(ES256, true, ['sign', 'verify']);
  const { kty = '', crv = '', x = '', y = '', d = '' } = await crypto.subtle.exportKey('jwk', privateKey);
  const signing = { kty, crv, x, y, d, alg: SIGNING_ALGORITHM, use: 'sig', kid: newToken(8) };
  return { jwks: { keys: [signing] }, cookieKeys: [newToken(32)], clientSecret: newToken(32) };
}
