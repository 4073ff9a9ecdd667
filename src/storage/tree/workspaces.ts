import type { Selectable } from 'kysely';
import { type Clock, DAY } from '../../kernel/clock.ts';
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import { newId } from '../../kernel/ids.ts';
import { notFound } from '../../kernel/problem.ts';
import type { MembershipsTable, WorkspacesTable } from '../tables.ts';
import { insertFolders } from './folders/folder.ts';
import { findLocked } from './lock.ts';
import { type Member, prepareReach, type Role, roleOf } from './member.ts';

/** A workspace as a member sees it. */
export interface Workspace {
  id: string;
  name: string;
  /** True = it belongs to one account; false = it is shared by its members. */
  personal: boolean;
  /** `manager` in a personal one. */
  role: Role;
  rootFolderId: string;
  usedBytes: number;
  maxBytes: number;
  /** Time at which a deleted one is erased, ms since the epoch; null = not deleted. */
  dateErased: number | null;
}

/** Identifies a workspace that was found. */
export type FoundWorkspace = Pick<Workspace, 'id' | 'personal'>;

export interface NewWorkspace {
  name: string;
  personal: boolean;
  /** The account that is its owner or first manager; null = none. */
  accountId: string | null;
}

export interface Workspaces {
  /** Returns the workspaces of a member, including, for managers, the deleted ones that can be restored. */
  list(member: Member): Promise<Workspace[]>;
  /**
   * Returns one of the member's workspaces. @param id null = the member's own; for a token, the workspace of the token
   * @throws Problem 404, 403 `role_insufficient`
   */
  find(reader: Reader, member: Member, id: string | null): Promise<Workspace>;
  /**
   * As `find`, with the workspace locked until the end of the transaction, so that the member's role stays the same.
   * For changes of the workspace itself, its members, tokens and links.
   */
  findLocked(trx: Transaction, member: Member, id: string): Promise<Workspace>;
  /** As `find`, for deleted workspaces that can be restored. */
  findDeleted(reader: Reader, member: Member, id: string): Promise<Workspace>;
  /**
   * Returns the ids of an account's personal workspace and of its root folder; null for accounts older than workspaces.
   */
  profileOf(
    accountId: string,
    reader?: Reader,
  ): Promise<{ workspaceId: string | null; rootFolderId: string | null }>;
  /** Creates an account's personal workspace with its root folder. */
  createPersonal(trx: Transaction, account: { id: string; name: string }): Promise<void>;
  /** Creates a workspace with its root folder and its first member. */
  create(trx: Transaction, workspace: NewWorkspace): Promise<Workspace>;
}

interface WorkspacesDeps {
  database: Database;
  clock: Clock;
  limits: WorkspaceLimits;
}

export interface WorkspaceLimits {
  /** Default quota of a workspace. */
  workspaceBytes: number;
  /** Days for which a deleted workspace can be restored. */
  trashDays: number;
}

export function createWorkspaces({ database, clock, limits }: WorkspacesDeps): Workspaces {
  const fromRow = (row: WorkspaceRow) => workspaceFromRow(row, limits);
  const [find, findDeleted] = [prepareFind(database), prepareFindById(database, 'deleted')];
  const create: Workspaces['create'] = async (trx, workspace) =>
    fromRow(await insertWorkspace(trx, workspace, clock.now()));
  return {
    async list({ id }) {
      const rows = await database.read
        .selectFrom('memberships')
        .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
        .select(['memberships.role', ...WORKSPACE_COLUMNS])
        .where('account_id', '=', id)
        .orderBy('workspaces.id')
        .execute();
      const isShown = ({ dateErased, role }: Workspace) =>
        dateErased === null || (role === 'manager' && dateErased > clock.now());
      return rows.map(fromRow).filter(isShown);
    },
    find: async (reader, member, id) => fromRow(await find(reader, member, id)),
    async findLocked(trx, member, id) {
      const findOne = (reader: Reader) => find(reader, member, id);
      return fromRow(await findLocked(database, trx, findOne, (row) => [row.id]));
    },
    async findDeleted(reader, member, id) {
      const workspace = fromRow(await findDeleted(reader, member, { id }));
      if ((workspace.dateErased ?? 0) <= (await readNow(database, reader))) throw notFound();
      return workspace;
    },
    profileOf: (accountId, reader = database.read) => profileOf(reader, accountId),
    create,
    async createPersonal(trx, { id, name }) {
      await create(trx, { name, personal: true, accountId: id });
    },
  };
}

const WORKSPACE_COLUMNS = [
  'workspaces.id',
  'workspaces.name',
  'workspaces.is_personal',
  'workspaces.root_folder_id',
  'workspaces.used_bytes',
  'workspaces.max_bytes',
  'workspaces.date_deleted',
] as const;

type WorkspaceRow = Pick<MembershipsTable, 'role'> &
  Pick<
    Selectable<WorkspacesTable>,
    'id' | 'name' | 'is_personal' | 'root_folder_id' | 'used_bytes' | 'max_bytes' | 'date_deleted'
  >;

function workspaceFromRow(row: WorkspaceRow, { workspaceBytes, trashDays }: WorkspaceLimits): Workspace {
  return {
    id: row.id,
    name: row.name,
    personal: row.is_personal === 1,
    role: roleOf(row),
    rootFolderId: row.root_folder_id,
    usedBytes: row.used_bytes,
    maxBytes: row.max_bytes ?? workspaceBytes,
    dateErased: row.date_deleted === null ? null : row.date_deleted + trashDays * DAY,
  };
}

type FindRow = (reader: Reader, member: Member, id: string | null) => Promise<WorkspaceRow>;

function prepareFind(database: Database): FindRow {
  const find = prepareFindById(database, 'live');
  const findOwn = prepareReach(database, (memberships) =>
    memberships
      .select(WORKSPACE_COLUMNS)
      .where('memberships.role', '=', 'owner')
      .orderBy('workspaces.id')
      .limit(1),
  );
  return async (reader, member, given) => {
    const id = given ?? member.workspaceId;
    return id === null ? await findOwn(reader, member, {}) : await find(reader, member, { id });
  };
}

const prepareFindById = (database: Database, state: 'live' | 'deleted') =>
  prepareReach(
    database,
    (memberships, { id }: { id: string }) =>
      memberships.select(WORKSPACE_COLUMNS).where('workspaces.id', '=', id),
    { state, isLookup: state === 'live' },
  );

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

async function insertWorkspace(
  trx: Transaction,
  { name, personal, accountId }: NewWorkspace,
  now: number,
): Promise<WorkspaceRow> {
  const [id, rootFolderId] = [newId(), newId()];
  const role = personal ? 'owner' : 'manager';
  const row = await trx
    .insertInto('workspaces')
    .values({
      id,
      name,
      root_folder_id: rootFolderId,
      used_bytes: 0,
      date_created: now,
      is_personal: personal ? 1 : 0,
      created_by: personal ? null : accountId,
    })
    .returning(WORKSPACE_COLUMNS)
    .executeTakeFirstOrThrow();
  if (accountId !== null)
    await trx.insertInto('memberships').values({ workspace_id: id, account_id: accountId, role }).execute();
  const root = { id: rootFolderId, workspaceId: id, parentId: null, name: 'Files', dateCreated: now };
  await insertFolders(trx, [root], null);
  return { ...row, role };
}
