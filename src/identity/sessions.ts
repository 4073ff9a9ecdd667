import { type Clock, DAY, MINUTE } from '../kernel/clock.ts';
import { hashToken, type Vault } from '../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../kernel/database/database.ts';
import { prepare } from '../kernel/database/prepared.ts';
import { newId, newToken } from '../kernel/ids.ts';
import type { Visitor } from './guard.ts';

/** A session ends after this long without use … */
const IDLE_MS = 14 * DAY;
/** … and at the latest this long after the login. */
export const SESSION_LIMIT_MS = 90 * DAY;
/** How exactly the last use is known: at most one write in this time. */
const USE_GRAIN_MS = MINUTE;
const USER_AGENT_LENGTH = 256;
const ID_TOKEN = 'session id token';

export interface Session {
  id: string;
  userAgent: string;
  /** Milliseconds. */
  dateCreated: number;
  dateUsed: number;
  expiresAt: number;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Logins. Only a hash of the cookie's value is kept, so that the database gives nobody a session. */
export function createSessions({ database, clock, vault }: { database: Database; clock: Clock; vault: Vault }) {
  const findByHash = prepare(database, (reader, { tokenHash, now }: { tokenHash: string; now: number }) =>
    reader
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .select([
        'sessions.id as sessionId',
        'sessions.date_used',
        'sessions.date_created',
        'sessions.account_id as accountId',
        'accounts.email',
        'accounts.name',
        'accounts.role',
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .where('sessions.expires_at', '>', now)
      .where('accounts.disabled', '=', 0),
  );

  return {
    /**
     * Begins a session; gives the cookie's value.
     * @param idToken what the issuer's logout asks for; null = that issuer has none
     */
    async begin(
      trx: Transaction,
      { accountId, userAgent, idToken = null }: { accountId: string; userAgent: string; idToken?: string | null },
    ): Promise<string> {
      const token = newToken(32);
      const now = clock.now();
      await trx
        .insertInto('sessions')
        .values({
          id: newId(),
          token_hash: hashToken(token),
          account_id: accountId,
          date_created: now,
          date_used: now,
          expires_at: now + IDLE_MS,
          user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
          id_token: idToken && vault.seal(ID_TOKEN, idToken),
        })
        .execute();
      return token;
    },

    /** Who a cookie's value stands for; null when the session has ended or the account is disabled. */
    async find(token: string): Promise<(Visitor & { sessionId: string }) | null> {
      const now = clock.now();
      const [row] = await findByHash({ tokenHash: hashToken(token), now });
      if (!row) return null;
      if (now - row.date_used >= USE_GRAIN_MS) {
        const expiresAt = Math.min(now + IDLE_MS, row.date_created + SESSION_LIMIT_MS);
        await database.transaction((trx) =>
          trx.updateTable('sessions').set({ date_used: now, expires_at: expiresAt }).where('id', '=', row.sessionId).execute(),
        );
      }
      return { accountId: row.accountId, email: row.email, name: row.name, role: row.role, sessionId: row.sessionId };
    },

    /** Those of an account that have not ended, the last used first. */
    async list(accountId: string): Promise<Session[]> {
      const rows = await database.read
        .selectFrom('sessions')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('expires_at', '>', clock.now())
        .orderBy('date_used', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        userAgent: row.user_agent,
        dateCreated: row.date_created,
        dateUsed: row.date_used,
        expiresAt: row.expires_at,
      }));
    },

    /** Ends one session of an account; false when the account has none with this id. */
    async end(trx: Transaction, accountId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await trx
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Ends the session of a cookie's value; gives the ID token that it was begun with. */
    async endByToken(trx: Transaction, token: string): Promise<{ idToken: string | null } | null> {
      const row = await trx.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).returning('id_token').executeTakeFirst();
      return row ? { idToken: row.id_token && vault.open(ID_TOKEN, row.id_token) } : null;
    },

    async endAll(trx: Transaction, accountId: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },

    /** Deletes what has run out. */
    async sweep(): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('sessions').where('expires_at', '<=', clock.now()).execute());
    },
  };
}
