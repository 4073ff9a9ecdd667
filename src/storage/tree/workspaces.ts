import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import type { MembershipsTable, WorkspacesTable } from '../tables.ts';
import { type Member, reach } from './member.ts';

export interface Workspace {
  id: string;
  name: string;
  role: MembershipsTable['role'];
  rootFolderId: string;
  usedBytes: number;
  maxBytes: number;
}

/** The use of a workspace, for administrators. */
export interface WorkspaceUse {
  id: string;
  name: string;
  usedBytes: number;
  maxBytes: number;
  /** False = the server's default quota. */
  ownQuota: boolean;
}

export interface Workspaces {
  /** Returns the workspaces of a member. */
  list(member: Member): Promise<Workspace[]>;
  /** Returns one of the member's workspaces; null = its own. @throws Problem 404, 403 `role_insufficient` */
  find(member: Member, workspaceId: string | null): Promise<Workspace>;
  /** Returns the ids of an account's own workspace; nulls for an account older than workspaces. */
  profileOf(
    accountId: string,
    reader?: Reader,
  ): Promise<{ workspaceId: string | null; rootFolderId: string | null }>;
  /** Returns the workspaces of all accounts, the fullest first. */
  all(): Promise<WorkspaceUse[]>;
  /** Creates an account's personal workspace with its root folder. */
  createPersonal(trx: Transaction, account: { id: string; name: string }): Promise<void>;
  /** @param maxBytes null = the server's default quota @throws Problem 404 */
  setQuota(trx: Transaction, id: string, maxBytes: number | null): Promise<void>;
}

interface WorkspacesDeps {
  database: Database;
  clock: Clock;
  /** Default quota of a workspace. */
  workspaceBytes: number;
}

export function createWorkspaces({ database, clock, workspaceBytes }: WorkspacesDeps): Workspaces {
  return {
    list: (member) => listWorkspaces(database.read, member, workspaceBytes),
    find: (member, workspaceId) => findWorkspace(database.read, member, workspaceId, workspaceBytes),
    profileOf: (accountId, reader = database.read) => profileOf(reader, accountId),
    all: () => listAll(database.read, workspaceBytes),
    createPersonal: (trx, account) => createPersonal(trx, account, clock.now()),
    async setQuota(trx, id, maxBytes) {
      const row = await trx
        .updateTable('workspaces')
        .set({ max_bytes: maxBytes })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!row) throw notFound();
    },
  };
}

const WORKSPACE_COLUMNS = [
  'workspaces.id',
  'workspaces.name',
  'workspaces.root_folder_id',
  'workspaces.used_bytes',
  'workspaces.max_bytes',
] as const;

async function listWorkspaces(
  reader: Reader,
  { accountId }: Member,
  workspaceBytes: number,
): Promise<Workspace[]> {
  const rows = await reader
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['memberships.role', ...WORKSPACE_COLUMNS])
    .where('account_id', '=', accountId)
    .orderBy('workspaces.id')
    .execute();
  return rows.map((row) => workspaceFromRow(row, workspaceBytes));
}

async function findWorkspace(
  reader: Reader,
  member: Member,
  id: string | null,
  workspaceBytes: number,
): Promise<Workspace> {
  const row = await reach(reader, member, (memberships) => {
    const workspaces = memberships
      .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
      .select(WORKSPACE_COLUMNS);
    return id === null
      ? workspaces.where('memberships.role', '=', 'owner').orderBy('workspaces.id').limit(1)
      : workspaces.where('workspaces.id', '=', id);
  });
  return workspaceFromRow(row, workspaceBytes);
}

function workspaceFromRow(
  row: Pick<WorkspacesTable, 'id' | 'name' | 'root_folder_id' | 'used_bytes' | 'max_bytes'> &
    Pick<MembershipsTable, 'role'>,
  workspaceBytes: number,
): Workspace {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    rootFolderId: row.root_folder_id,
    usedBytes: row.used_bytes,
    maxBytes: row.max_bytes ?? workspaceBytes,
  };
}

async function profileOf(
  reader: Reader,
  accountId: string,
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
}

async function listAll(reader: Reader, workspaceBytes: number): Promise<WorkspaceUse[]> {
  const rows = await reader
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
}

async function createPersonal(
  trx: Transaction,
  account: { id: string; name: string },
  now: number,
): Promise<void> {
  const [workspaceId, rootFolderId] = [newId(), newId()];
  await trx
    .insertInto('workspaces')
    .values({
      id: workspaceId,
      name: account.name,
      root_folder_id: rootFolderId,
      used_bytes: 0,
      date_created: now,
    })
    .execute();
  await trx
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, account_id: account.id, role: 'owner' })
    .execute();
  await trx
    .insertInto('folders')
    .values({
      id: rootFolderId,
      workspace_id: workspaceId,
      parent_id: null,
      name: 'Files',
      name_key: 'files',
      date_created: now,
    })
    .execute();
}
