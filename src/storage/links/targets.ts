import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import type { Folders } from '../tree/folders/folders.ts';
import { lockWorkspace } from '../tree/lock.ts';
import type { Member } from '../tree/member.ts';
import type { Workspaces } from '../tree/workspaces.ts';

/** The folder or the chosen files that a link opens. */
export interface LinkTarget {
  workspaceId: string;
  /** Null = the files. */
  folderId: string | null;
  /** Empty for a folder. */
  fileIds: readonly string[];
}

/** A target in a request: a folder, or `root` of a workspace, or files. */
type NamedTarget = { folderId: string; workspaceId?: string } | { fileIds: readonly string[] };

/**
 * Finds the target of a new or changed link. @throws Problem 404, 403 `role_insufficient`, 400 for files of several
 * workspaces
 */
export type FindTarget = (reader: Reader, member: Member, named: NamedTarget) => Promise<LinkTarget>;

interface TargetDeps {
  folders: Pick<Folders, 'find'>;
  workspaces: Pick<Workspaces, 'find'>;
}

export function createFindTarget({ folders, workspaces }: TargetDeps): FindTarget {
  return async (reader, member, named) => {
    if ('folderId' in named) {
      const { id, workspaceId } = await folders.find(reader, member, named.folderId, named.workspaceId);
      return { workspaceId, folderId: id, fileIds: [] };
    }
    const fileIds = [...new Set(named.fileIds)];
    const rows = await reader
      .selectFrom('files')
      .select('workspace_id')
      .where('id', 'in', fileIds)
      .where('deleted_at', 'is', null)
      .execute();
    if (rows.length < fileIds.length) throw notFound();
    const workspaceIds = new Set(rows.map(({ workspace_id }) => workspace_id));
    for (const id of workspaceIds) await workspaces.find(reader, member, id);
    const [workspaceId = '', ...others] = workspaceIds;
    if (others.length > 0) throw invalidField('fileIds', 'must be files of one workspace');
    return { workspaceId, folderId: null, fileIds };
  };
}

/**
 * Locks the workspace of a target, and its folder in it, until the end of the transaction: when a folder moves to
 * another one, only committed links move with it. SQLite runs one transaction at a time and needs no lock.
 * @throws Problem 404 when the folder has moved
 */
export async function lockTarget(
  database: Database,
  trx: Transaction,
  { folderId, workspaceId }: LinkTarget,
): Promise<void> {
  if (database.kind === 'sqlite') return;
  await lockWorkspace(database, trx, workspaceId);
  if (folderId === null) return;
  const folder = await trx
    .selectFrom('folders')
    .select('workspace_id')
    .where('id', '=', folderId)
    .forShare()
    .executeTakeFirst();
  if (folder?.workspace_id !== workspaceId) throw notFound();
}

/** Replaces the chosen files of a link. */
export async function setFiles(trx: Transaction, linkId: string, fileIds: readonly string[]): Promise<void> {
  await trx.deleteFrom('link_files').where('link_id', '=', linkId).execute();
  if (fileIds.length === 0) return;
  const rows = fileIds.map((file_id) => ({ link_id: linkId, file_id }));
  await trx.insertInto('link_files').values(rows).execute();
}

/** Returns the ids of the chosen files of a link. */
export async function filesOf(reader: Reader, linkId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('link_files')
    .select('file_id')
    .where('link_id', '=', linkId)
    .orderBy('file_id')
    .execute();
  return rows.map(({ file_id }) => file_id);
}
