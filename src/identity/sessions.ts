import type { Selectable } from 'kysely';
import { isNewUse } from '../kernel/access-tokens.ts';
import { type Clock, DAY } from '../kernel/clock.ts';
import { digestOf } from '../kernel/crypto/digest.ts';
import type { Vault } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { deleteOld } from '../kernel/database/delete-old.ts';
import { createOptionalWrites } from '../kernel/database/optional-writes.ts';
import { newId, newToken } from '../kernel/ids.ts';
import { Problem } from '../kernel/problem.ts';
import { lockAccount } from './account-lock.ts';
import type { Caller } from './caller.ts';
import type { SessionsTable } from './tables.ts';

/** Time without use after which a session ends. */
const IDLE_MS = 14 * DAY;
/** Time from the sign-in after which a session ends even if it is in use. */
export const SESSION_LIMIT_MS = 90 * DAY;
/** Maximum number of sessions of an account. */
const SESSIONS_EACH = 100;
const USER_AGENT_LENGTH = 256;
export const ID_TOKEN_PURPOSE = 'session id token';

export interface Session {
  id: string;
  userAgent: string;
  /** Milliseconds. */
  dateCreated: number;
  dateUsed: number;
  expiresAt: number;
}

export interface NewSession {
  accountId: string;
  userAgent: string;
  /** The issuer's ID token, required for its logout; null for an issuer without logout. */
  idToken?: string | null;
  /** Id of the session at the first address that the sign-in used. */
  signInId?: string | null;
}

interface SessionsDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  /** The current issuer: accounts of another one have no access. */
  issuer: string;
}

/** Sign-in sessions. The database holds only hashes of the cookies. */
export interface Sessions {
  /**
   * Starts a session, and returns the value of its cookie. Ends the least recently used session when the account has
   * too many.
   */
  start(trx: Transaction, session: NewSession): Promise<string>;
  /**
   * Returns the account of a cookie; null when the session has ended or the account is disabled or of another
   * issuer.
   */
  find(token: string): Promise<Caller | null>;
  isActive(reader: Reader, accountId: string, id: string): Promise<boolean>;
  /**
   * Checks that the session of a request has not ended since the request began, for example while its body arrived.
   * @throws Problem 401 `login_required`
   */
  requireActive(reader: Reader, caller: Pick<Caller, 'accountId' | 'credentialId'>): Promise<void>;
  /** Returns the active sessions of an account, most recently used first. */
  list(accountId: string): Promise<Session[]>;
  /** Ends a session of an account, and all others of the same sign-in. Reports whether it existed. */
  end(trx: Transaction, accountId: string, id: string): Promise<boolean>;
  /**
   * Ends the session of a cookie, and all others of the same sign-in. Returns its ID token; null when the session does
   * not exist.
   * @param kept id of a sign-in whose other sessions continue
   */
  endByToken(
    trx: Transaction,
    token: string,
    kept?: string | null,
  ): Promise<{ idToken: string | null } | null>;
  endAll(trx: Transaction, accountId: string): Promise<void>;
  /** Deletes expired sessions. */
  sweep(): Promise<void>;
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { database, clock, vault } = deps;

  async function isActive(reader: Reader, accountId: string, id: string): Promise<boolean> {
    const query = reader.selectFrom('sessions').select('id').where('id', '=', id);
    const active = query.where('account_id', '=', accountId).where('expires_at', '>', clock.now());
    return (await active.executeTakeFirst()) !== undefined;
  }

  return {
    start: (trx, session) => startSession(trx, deps, session),
    find: createFind(deps),
    isActive,
    async requireActive(reader, { accountId, credentialId }) {
      if (!(await isActive(reader, accountId, credentialId)))
        throw new Problem('login_required', 'The session has ended. Sign in.');
    },
    list: (accountId) =>
      database.read
        .selectFrom('sessions')
        .select(['id', 'user_agent as userAgent', 'date_created as dateCreated'])
        .select(['date_used as dateUsed', 'expires_at as expiresAt'])
        .where('account_id', '=', accountId)
        .where('expires_at', '>', clock.now())
        .orderBy('date_used', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    async end(trx, accountId, id) {
      await lockAccount(database, trx, accountId);
      const row = await trx
        .selectFrom('sessions')
        .select(['id', 'account_id', 'sign_in_id'])
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (row) await endSignIn(trx, row);
      return row !== undefined;
    },
    async endByToken(trx, token, kept = null) {
      const tokenHash = digestOf(token);
      const known = trx.selectFrom('sessions').select('account_id').where('token_hash', '=', tokenHash);
      const found = await known.executeTakeFirst();
      if (!found) return null;
      await lockAccount(database, trx, found.account_id);
      const row = await trx
        .deleteFrom('sessions')
        .where('token_hash', '=', tokenHash)
        .returning(['id', 'account_id', 'id_token', 'sign_in_id'])
        .executeTakeFirst();
      if (row && (row.sign_in_id ?? row.id) !== kept) await endSignIn(trx, row);
      return row ? { idToken: row.id_token && vault.open(ID_TOKEN_PURPOSE, row.id, row.id_token) } : null;
    },
    async endAll(trx, accountId) {
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute();
    },
    async sweep() {
      await deleteOld(database, 'sessions', ['id'], (where) => where('expires_at', '<=', clock.now()));
    },
  };
}

/** Ends a session, the one that its sign-in used, and all others whose sign-ins used that. */
async function endSignIn(
  trx: Transaction,
  { id, account_id, sign_in_id }: Pick<Selectable<SessionsTable>, 'id' | 'account_id' | 'sign_in_id'>,
): Promise<void> {
  const signInId = sign_in_id ?? id;
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', account_id)
    .where((where) => where.or([where('id', '=', signInId), where('sign_in_id', '=', signInId)]))
    .execute();
}

async function startSession(
  trx: Transaction,
  { database, clock, vault }: SessionsDeps,
  { accountId, userAgent, idToken = null, signInId = null }: NewSession,
): Promise<string> {
  const token = newToken(32);
  const id = newId();
  const now = clock.now();
  await lockAccount(database, trx, accountId);
  await endLeastUsed(trx, accountId);
  await trx
    .insertInto('sessions')
    .values({
      id,
      token_hash: digestOf(token),
      account_id: accountId,
      date_created: now,
      date_used: now,
      expires_at: now + IDLE_MS,
      user_agent: userAgent.slice(0, USER_AGENT_LENGTH),
      id_token: idToken && vault.seal(ID_TOKEN_PURPOSE, id, idToken),
      sign_in_id: signInId,
    })
    .execute();
  return token;
}

/** Ends the sessions that were used least recently, so that the account has `SESSIONS_EACH` with a new one. */
async function endLeastUsed(trx: Transaction, accountId: string): Promise<void> {
  const kept = trx
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('date_used', 'desc')
    .orderBy('id', 'desc')
    .limit(SESSIONS_EACH - 1);
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).where('id', 'not in', kept).execute();
}

function createFind({ database, clock, issuer }: SessionsDeps): Sessions['find'] {
  const findByHash = database.prepare(
    (reader: Reader, { tokenHash, now }: { tokenHash: string; now: number }) =>
      reader
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .select(['sessions.id as credentialId', 'sessions.date_used', 'sessions.date_created'])
        .select(['accounts.id as accountId', 'accounts.email', 'accounts.name', 'accounts.role'])
        .where('sessions.token_hash', '=', tokenHash)
        .where('sessions.expires_at', '>', now)
        .where('accounts.disabled', '=', 0)
        .where('accounts.issuer', '=', issuer),
    { isLookup: true },
  );

  const write = createOptionalWrites(database);
  return async (token) => {
    const now = clock.now();
    const [row] = await findByHash(database.read, { tokenHash: digestOf(token), now });
    if (!row) return null;
    const { date_used, date_created, ...caller } = row;
    if (isNewUse(date_used, now)) {
      const expiresAt = Math.min(now + IDLE_MS, date_created + SESSION_LIMIT_MS);
      write(caller.credentialId, (trx) =>
        trx
          .updateTable('sessions')
          .set({ date_used: now, expires_at: expiresAt })
          .where('id', '=', caller.credentialId)
          .execute(),
      );
    }
    return caller;
  };
}
