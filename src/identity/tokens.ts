import { createUses, isUnexpired, newSecret, TOKENS_EACH, type TokenTimes } from '../kernel/access-tokens.ts';
import type { Clock } from '../kernel/clock.ts';
import { digestOf } from '../kernel/crypto/digest.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { requireFewer } from '../kernel/database/row-limit.ts';
import { newId } from '../kernel/ids.ts';
import { lockAccount } from './account-lock.ts';
import type { TokenCaller, TokenScope } from './caller.ts';

const PREFIX = 'posthouse_';

export interface Token extends TokenTimes {
  id: string;
  name: string;
  scope: TokenScope;
}

export interface NewToken {
  accountId: string;
  name: string;
  scope: TokenScope;
  /** Milliseconds; null = never. */
  expiresAt: number | null;
}

/** Personal access tokens. The database holds only their hashes. */
export interface Tokens {
  /**
   * Creates a token and returns its secret, which cannot be read again.
   * @throws Problem 409 `limit_reached`
   */
  create(trx: Transaction, token: NewToken): Promise<Token & { token: string }>;
  /** Returns the account and scope of a token; null when unknown, expired or of a disabled account. */
  find(token: string): Promise<TokenCaller | null>;
  /** Returns the tokens of an account, expired ones included, newest first. */
  list(accountId: string): Promise<Token[]>;
  /** Reports whether the token existed. @param accountId null = of any account */
  revoke(trx: Transaction, id: string, accountId: string | null): Promise<boolean>;
  revokeAll(trx: Transaction, accountId: string): Promise<void>;
}

interface TokensDeps {
  database: Database;
  clock: Clock;
  /** The current issuer: accounts of another one have no access. */
  issuer: string;
}

export function createTokens(deps: TokensDeps): Tokens {
  const { database, clock } = deps;
  return {
    async create(trx, token) {
      await lockAccount(database, trx, token.accountId);
      return await createToken(trx, clock.now(), token);
    },
    find: createFind(deps),
    list: (accountId) =>
      database.read
        .selectFrom('tokens')
        .select(['id', 'name', 'scope', 'date_created as dateCreated'])
        .select(['date_used as dateUsed', 'expires_at as expiresAt'])
        .where('account_id', '=', accountId)
        .orderBy('date_created', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    async revoke(trx, id, accountId) {
      const query = trx.deleteFrom('tokens').where('id', '=', id);
      const scoped = accountId === null ? query : query.where('account_id', '=', accountId);
      const { numDeletedRows } = await scoped.executeTakeFirst();
      return numDeletedRows > 0n;
    },
    async revokeAll(trx, accountId) {
      await trx.deleteFrom('tokens').where('account_id', '=', accountId).execute();
    },
  };
}

async function createToken(
  trx: Transaction,
  now: number,
  { accountId, expiresAt, ...named }: NewToken,
): Promise<Token & { token: string }> {
  const own = trx.selectFrom('tokens').select('id').where('account_id', '=', accountId);
  await requireFewer(own, TOKENS_EACH, 'tokens per account');
  const { token, hash } = newSecret(PREFIX);
  const id = newId();
  const hashes = { account_id: accountId, token_hash: hash };
  const times = { date_created: now, date_used: null, expires_at: expiresAt };
  await trx
    .insertInto('tokens')
    .values({ id, ...named, ...hashes, ...times })
    .execute();
  return { id, ...named, dateCreated: now, dateUsed: null, expiresAt, token };
}

function createFind({ database, clock, issuer }: TokensDeps): Tokens['find'] {
  const findByHash = database.prepare(
    (reader: Reader, { tokenHash, now }: { tokenHash: string; now: number }) =>
      reader
        .selectFrom('tokens')
        .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
        .select([
          'tokens.id as credentialId',
          'tokens.scope',
          'tokens.date_used',
          'tokens.account_id as accountId',
        ])
        .select(['accounts.email', 'accounts.name', 'accounts.role'])
        .where('tokens.token_hash', '=', tokenHash)
        .where(isUnexpired('tokens', now))
        .where('accounts.disabled', '=', 0)
        .where('accounts.issuer', '=', issuer),
    { isLookup: true },
  );

  const recordUse = createUses(database, 'tokens');
  return async (token) => {
    if (!token.startsWith(PREFIX)) return null;
    const now = clock.now();
    const [row] = await findByHash(database.read, { tokenHash: digestOf(token), now });
    if (!row) return null;
    const { date_used, ...caller } = row;
    recordUse({ id: caller.credentialId, lastUse: date_used, now });
    return caller;
  };
}
