import type { Clock } from '../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../kernel/database/database.ts';
import { notFound } from '../kernel/http/problem.ts';
import { newId } from '../kernel/ids.ts';

export interface Workspace {
  id: string;
  name: string;
  role: string;
  rootFolderId: string;
  usedBytes: number;
  maxBytes: number;
}

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** @param workspaceBytes the quota of a workspace that has none of its own */
export function createWorkspaces({ database, clock, workspaceBytes }: { database: Database; clock: Clock; workspaceBytes: number }) {
  async function list(accountId: string): Promise<Workspace[]> {
    const rows = await database.read
      .selectFrom('memberships')
      .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
      .select(['workspaces.id', 'name', 'role', 'root_folder_id', 'used_bytes', 'max_bytes'])
      .where('account_id', '=', accountId)
      .orderBy('workspaces.id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      role: row.role,
      rootFolderId: row.root_folder_id,
      usedBytes: row.used_bytes,
      maxBytes: row.max_bytes ?? workspaceBytes,
    }));
  }

  return {
    list,

    /** Makes an account's personal workspace with its root folder. */
    async createPersonal(trx: Transaction, account: { id: string; name: string }): Promise<void> {
      const now = clock.now();
      const [workspaceId, rootFolderId] = [newId(), newId()];
      await trx
        .insertInto('workspaces')
        .values({ id: workspaceId, name: account.name, root_folder_id: rootFolderId, used_bytes: 0, date_created: now })
        .execute();
      await trx.insertInto('memberships').values({ workspace_id: workspaceId, account_id: account.id, role: 'owner' }).execute();
      await trx
        .insertInto('folders')
        .values({ id: rootFolderId, workspace_id: workspaceId, parent_id: null, name: 'Files', name_key: 'files', date_created: now })
        .execute();
    },

    /** An account's own workspace; nulls for an account made before there was any. */
    async profileOf(
      accountId: string,
      reader: Reader = database.read,
    ): Promise<{ workspaceId: string | null; rootFolderId: string | null }> {
      const row = await reader
        .selectFrom('memberships')
        .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
        .select(['workspaces.id', 'root_folder_id'])
        .where('account_id', '=', accountId)
        .where('role', '=', 'owner')
        .orderBy('workspaces.id')
        .limit(1)
        .executeTakeFirst();
      return { workspaceId: row?.id ?? null, rootFolderId: row?.root_folder_id ?? null };
    },

    /** Everybody's, the fullest first. */
    async all(): Promise<{ id: string; name: string; usedBytes: number; maxBytes: number; ownQuota: boolean }[]> {
      const rows = await database.read
        .selectFrom('workspaces')
        .select(['id', 'name', 'used_bytes', 'max_bytes'])
        .orderBy('used_bytes', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(({ id, name, used_bytes, max_bytes }) => ({
        id,
        name,
        usedBytes: used_bytes,
        maxBytes: max_bytes ?? workspaceBytes,
        ownQuota: max_bytes !== null,
      }));
    },

    /** @param maxBytes null = the server's own quota @throws Problem 404 */
    async setQuota(trx: Transaction, id: string, maxBytes: number | null): Promise<void> {
      const row = await trx.updateTable('workspaces').set({ max_bytes: maxBytes }).where('id', '=', id).returning('id').executeTakeFirst();
      if (!row) throw notFound();
    },

    /** One of the account's workspaces; null = its own. @throws Problem 404 */
    async one(accountId: string, workspaceId: string | null): Promise<Workspace> {
      const all = await list(accountId);
      const found = workspaceId === null ? all.find(({ role }) => role === 'owner') : all.find(({ id }) => id === workspaceId);
      if (!found) throw notFound();
      return found;
    },
  };
}
