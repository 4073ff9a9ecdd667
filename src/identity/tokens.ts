import { type Clock, MINUTE } from '../kernel/clock.ts';
import { hashToken } from '../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { prepare } from '../kernel/database/prepared.ts';
import { newId, newToken } from '../kernel/ids.ts';
import type { Visitor } from './guard.ts';
import type { TokenScope } from './tables.ts';

/** So that a token that was committed or pasted somewhere is recognised by people and by secret scanners. */
const PREFIX = 'posthouse_';
const USE_GRAIN_MS = MINUTE;

export interface Token {
  id: string;
  name: string;
  scope: TokenScope;
  /** Milliseconds. */
  dateCreated: number;
  dateUsed: number | null;
  expiresAt: number | null;
}

export type Tokens = ReturnType<typeof createTokens>;

/** Personal access tokens. Only their hashes are kept. */
export function createTokens({ database, clock }: { database: Database; clock: Clock }) {
  const findByHash = prepare(database, (reader, { tokenHash, now }: { tokenHash: string; now: number }) =>
    reader
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
      .select([
        'tokens.id',
        'tokens.scope',
        'tokens.date_used',
        'tokens.account_id as accountId',
        'accounts.email',
        'accounts.name',
        'accounts.role',
      ])
      .where('tokens.token_hash', '=', tokenHash)
      .where((where) => where.or([where('tokens.expires_at', 'is', null), where('tokens.expires_at', '>', now)]))
      .where('accounts.disabled', '=', 0),
  );

  return {
    /** Makes a token; this is the only time that it can be read. @param expiresAt milliseconds; null = never */
    async make(
      trx: Transaction,
      { accountId, name, scope, expiresAt }: { accountId: string; name: string; scope: TokenScope; expiresAt: number | null },
    ): Promise<Token & { token: string }> {
      const token = PREFIX + newToken(32);
      const made: Token = { id: newId(), name, scope, dateCreated: clock.now(), dateUsed: null, expiresAt };
      await trx
        .insertInto('tokens')
        .values({
          id: made.id,
          account_id: accountId,
          name,
          token_hash: hashToken(token),
          scope,
          date_created: made.dateCreated,
          date_used: null,
          expires_at: expiresAt,
        })
        .execute();
      return { ...made, token };
    },

    /** Who a token stands for, and what it may do; null when it is unknown or has run out, or the account is disabled. */
    async find(token: string): Promise<(Visitor & { scope: TokenScope }) | null> {
      if (!token.startsWith(PREFIX)) return null;
      const now = clock.now();
      const [row] = await findByHash({ tokenHash: hashToken(token), now });
      if (!row) return null;
      if (row.date_used === null || now - row.date_used >= USE_GRAIN_MS) {
        await database.transaction((trx) => trx.updateTable('tokens').set({ date_used: now }).where('id', '=', row.id).execute());
      }
      return { accountId: row.accountId, email: row.email, name: row.name, role: row.role, scope: row.scope };
    },

    /** Those of an account, the newest first; run out ones too, so that their owner sees why a script stopped. */
    async list(accountId: string): Promise<Token[]> {
      const rows = await database.read
        .selectFrom('tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('date_created', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        scope: row.scope,
        dateCreated: row.date_created,
        dateUsed: row.date_used,
        expiresAt: row.expires_at,
      }));
    },

    /** False when there is none with this id. @param accountId null = whoever it belongs to */
    async revoke(trx: Transaction, id: string, accountId: string | null): Promise<boolean> {
      const query = trx.deleteFrom('tokens').where('id', '=', id);
      const { numDeletedRows } = await (accountId === null ? query : query.where('account_id', '=', accountId)).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async revokeAll(trx: Transaction, accountId: string): Promise<void> {
      await trx.deleteFrom('tokens').where('account_id', '=', accountId).execute();
    },
  };
}
