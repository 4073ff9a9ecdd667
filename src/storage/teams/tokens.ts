import {
  createUses,
  isUnexpired,
  newSecret,
  TOKENS_EACH,
  type TokenTimes,
} from '../../kernel/access-tokens.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { requireFewer } from '../../kernel/database/row-limit.ts';
import { newId } from '../../kernel/ids.ts';
import { lockWorkspace } from '../tree/lock.ts';
import type { FoundWorkspace } from '../tree/workspaces.ts';
import type { TokenRole } from './fields.ts';
import { requireShared } from './shared-workspaces.ts';

/** Distinguishes these tokens from personal access tokens. */
const PREFIX = 'posthouse_workspace_';

export interface WorkspaceToken extends TokenTimes {
  id: string;
  name: string;
  role: TokenRole;
}

export interface NewWorkspaceToken {
  name: string;
  role: TokenRole;
  /** Milliseconds; null = never. */
  expiresAt: number | null;
  /** The account that creates it; null = the command line. */
  createdBy: string | null;
}

/** Access tokens of shared workspaces, for applications. The database holds only their hashes. */
export interface WorkspaceTokens {
  /** Returns the tokens of a workspace, expired ones included, newest first. */
  list(workspaceId: string): Promise<WorkspaceToken[]>;
  /**
   * Creates a token and returns its secret, which cannot be read again.
   * @throws Problem 409 `personal_workspace`, `limit_reached`
   */
  create(
    trx: Transaction,
    workspace: FoundWorkspace,
    token: NewWorkspaceToken,
  ): Promise<{ id: string; token: string }>;
  /** Revokes a token; reports whether it existed. @param workspaceId null = of any workspace */
  revoke(trx: Transaction, id: string, workspaceId: string | null): Promise<boolean>;
  /** Returns the token with a secret, and its workspace; null when unknown, expired or revoked. */
  find(secret: string): Promise<{ id: string; workspaceId: string } | null>;
  /** Returns `token` for each of the tokens that is valid now, by id. */
  rolesOf(ids: readonly string[]): Promise<ReadonlyMap<string, 'token'>>;
}

interface WorkspaceTokensDeps {
  database: Database;
  clock: Clock;
}

export function createWorkspaceTokens(deps: WorkspaceTokensDeps): WorkspaceTokens {
  const { database, clock } = deps;
  return {
    async list(workspaceId) {
      const rows = await database.read
        .selectFrom('workspace_tokens')
        .innerJoin('memberships', (join) =>
          join
            .onRef('memberships.account_id', '=', 'workspace_tokens.id')
            .onRef('memberships.workspace_id', '=', 'workspace_tokens.workspace_id'),
        )
        .select(['id', 'name', 'role', 'date_created', 'date_used', 'expires_at'])
        .where('workspace_tokens.workspace_id', '=', workspaceId)
        .orderBy('date_created', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id, name, role, date_created, date_used, expires_at }) => ({
        id,
        name,
        role: role === 'editor' ? role : 'viewer',
        dateCreated: date_created,
        dateUsed: date_used,
        expiresAt: expires_at,
      }));
    },
    async create(trx, workspace, token) {
      requireShared(workspace);
      await lockWorkspace(database, trx, workspace.id);
      return await insertToken(trx, workspace.id, token, clock.now());
    },
    async revoke(trx, id, workspaceId) {
      const query = trx.deleteFrom('workspace_tokens').where('id', '=', id);
      const scoped = workspaceId === null ? query : query.where('workspace_id', '=', workspaceId);
      if ((await scoped.executeTakeFirst()).numDeletedRows === 0n) return false;
      await trx.deleteFrom('memberships').where('account_id', '=', id).execute();
      return true;
    },
    find: createFind(deps),
    async rolesOf(ids) {
      const rows = await database.read
        .selectFrom('workspace_tokens')
        .select('id')
        .where('id', 'in', ids)
        .where(isUnexpired('workspace_tokens', clock.now()))
        .execute();
      return new Map(rows.map(({ id }) => [id, 'token']));
    },
  };
}

async function insertToken(
  trx: Transaction,
  workspaceId: string,
  { name, role, expiresAt, createdBy }: NewWorkspaceToken,
  now: number,
): Promise<{ id: string; token: string }> {
  const own = trx.selectFrom('workspace_tokens').select('id').where('workspace_id', '=', workspaceId);
  await requireFewer(own, TOKENS_EACH, 'tokens per workspace');
  const id = newId();
  const { token, hash } = newSecret(PREFIX);
  await trx
    .insertInto('workspace_tokens')
    .values({
      id,
      workspace_id: workspaceId,
      name,
      token_hash: hash,
      created_by: createdBy,
      date_created: now,
      date_used: null,
      expires_at: expiresAt,
    })
    .execute();
  await trx.insertInto('memberships').values({ workspace_id: workspaceId, account_id: id, role }).execute();
  return { id, token };
}

function createFind({ database, clock }: WorkspaceTokensDeps): WorkspaceTokens['find'] {
  const findByHash = database.prepare(
    (reader: Reader, { tokenHash, now }: { tokenHash: string; now: number }) =>
      reader
        .selectFrom('workspace_tokens')
        .select(['id', 'workspace_id', 'date_used'])
        .where('token_hash', '=', tokenHash)
        .where(isUnexpired('workspace_tokens', now)),
    { isLookup: true },
  );
  const recordUse = createUses(database, 'workspace_tokens');
  return async (secret) => {
    if (!secret.startsWith(PREFIX)) return null;
    const now = clock.now();
    const [row] = await findByHash(database.read, { tokenHash: digestOf(secret), now });
    if (!row) return null;
    recordUse({ id: row.id, lastUse: row.date_used, now });
    return { id: row.id, workspaceId: row.workspace_id };
  };
}
