import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/problem.ts';
import type { FoundWorkspace } from '../tree/workspaces.ts';
import type { Account, Accounts } from './accounts.ts';

/** A workspace as an administrator sees it: its use, without its files. */
export interface WorkspaceUse {
  id: string;
  name: string;
  personal: boolean;
  rootFolderId: string;
  usedBytes: number;
  maxBytes: number;
  /** False = the server's default quota. */
  ownQuota: boolean;
  /** Managers of a shared workspace; empty for a personal one. */
  managers: Account[];
  /** True = deleted, but not yet erased. */
  deleted: boolean;
}

/** Workspaces for administrators and commands. */
export interface Administration {
  /** Returns all workspaces, fullest first. */
  all(): Promise<WorkspaceUse[]>;
  /** @throws Problem 404 */
  find(reader: Reader, id: string): Promise<FoundWorkspace>;
  /** @param maxBytes null = the server's default quota @throws Problem 404 */
  setQuota(trx: Transaction, id: string, maxBytes: number | null): Promise<void>;
  /** Returns the shared workspaces without a manager who can sign in. */
  unmanaged(): Promise<WorkspaceUse[]>;
}

interface AdministrationDeps {
  database: Database;
  accounts: Accounts;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

export function createAdministration(deps: AdministrationDeps): Administration {
  const all = () => listAll(deps);
  return {
    all,
    async find(reader, id) {
      const row = await reader
        .selectFrom('workspaces')
        .select(['id', 'is_personal'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(notFound);
      return { id, personal: row.is_personal === 1 };
    },
    async setQuota(trx, id, maxBytes) {
      await trx
        .updateTable('workspaces')
        .set({ max_bytes: maxBytes })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirstOrThrow(notFound);
    },
    async unmanaged() {
      const isUnmanaged = ({ personal, deleted, managers }: WorkspaceUse) =>
        !personal && !deleted && managers.every(({ disabled }) => disabled);
      return (await all()).filter(isUnmanaged);
    },
  };
}

async function listAll({ database, accounts, workspaceBytes }: AdministrationDeps): Promise<WorkspaceUse[]> {
  const rows = await database.read
    .selectFrom('workspaces')
    .select(['id', 'name', 'is_personal', 'root_folder_id', 'used_bytes', 'max_bytes', 'date_deleted'])
    .orderBy('used_bytes', 'desc')
    .orderBy('id')
    .execute();
  const managers = await managersOf(database.read, accounts);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    personal: row.is_personal === 1,
    rootFolderId: row.root_folder_id,
    usedBytes: row.used_bytes,
    maxBytes: row.max_bytes ?? workspaceBytes,
    ownQuota: row.max_bytes !== null,
    managers: managers.get(row.id) ?? [],
    deleted: row.date_deleted !== null,
  }));
}

/** Returns the managers of shared workspaces by workspace. */
async function managersOf(reader: Reader, accounts: Accounts): Promise<Map<string, Account[]>> {
  const rows = await reader
    .selectFrom('memberships')
    .select(['workspace_id', 'account_id'])
    .where('role', '=', 'manager')
    .execute();
  const byId = new Map(
    (await accounts.byIds([...new Set(rows.map(({ account_id }) => account_id))])).map((account) => [
      account.id,
      account,
    ]),
  );
  const byWorkspace = Map.groupBy(rows, ({ workspace_id }) => workspace_id);
  return new Map(
    [...byWorkspace].map(([id, members]) => [
      id,
      members.flatMap(({ account_id }) => byId.get(account_id) ?? []),
    ]),
  );
}
