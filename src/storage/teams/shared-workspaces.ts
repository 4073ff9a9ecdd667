import type { Database, Transaction } from '../../kernel/database/database.ts';
import { readNow } from '../../kernel/database/now.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { Changed } from '../tree/changes.ts';
import { lockWorkspace } from '../tree/lock.ts';
import type { Member } from '../tree/member.ts';
import type { FoundWorkspace, Workspace, Workspaces } from '../tree/workspaces.ts';

/** The accounts that may create shared workspaces. */
export type WorkspaceCreators = 'admins' | 'everyone';

/** Maximum number of shared workspaces that an account other than an administrator can create. */
const EACH = 10;

/** Shared workspaces: a tree of folders with a quota, and members with roles. */
export interface SharedWorkspaces {
  /**
   * Creates a shared workspace with the account as its manager.
   * @throws Problem 403 `workspace_not_allowed`
   */
  create(trx: Transaction, account: { id: string; isAdmin: boolean }, name: string): Promise<Workspace>;
  rename(trx: Transaction, workspace: FoundWorkspace, name: string): Promise<void>;
  /** Deletes a shared workspace, which can be restored. @throws Problem 409 `personal_workspace` */
  remove(trx: Transaction, workspace: FoundWorkspace): Promise<void>;
  /** Restores a deleted workspace. @throws Problem 404, also when its erasure is due, 403 `role_insufficient` */
  restore(trx: Transaction, member: Member, id: string): Promise<Workspace>;
}

interface SharedWorkspacesDeps {
  database: Database;
  workspaces: Workspaces;
  creators: WorkspaceCreators;
  changed: Changed;
}

export function createSharedWorkspaces({
  database,
  workspaces,
  creators,
  changed,
}: SharedWorkspacesDeps): SharedWorkspaces {
  async function update(trx: Transaction, id: string, values: WorkspaceUpdate) {
    await updateWorkspace(trx, id, values);
    changed(trx, id, null);
  }

  async function requireRight(trx: Transaction, { id, isAdmin }: { id: string; isAdmin: boolean }) {
    if (isAdmin) return;
    if (creators === 'admins')
      throw new Problem('workspace_not_allowed', 'Only administrators may create shared workspaces.');
    const own = await workspaces.profileOf(id, trx);
    // Concurrent creations run one after the other, so that each counts the others.
    await lockWorkspace(database, trx, own.workspaceId ?? '');
    const { count } = await trx
      .selectFrom('workspaces')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('created_by', '=', id)
      .executeTakeFirstOrThrow();
    if (count >= EACH)
      throw new Problem('workspace_not_allowed', `You have already created ${EACH} shared workspaces.`);
  }

  return {
    async create(trx, account, name) {
      await requireRight(trx, account);
      return await workspaces.create(trx, { name, personal: false, accountId: account.id });
    },
    rename: (trx, { id }, name) => update(trx, id, { name }),
    async remove(trx, workspace) {
      requireShared(workspace);
      await update(trx, workspace.id, { date_deleted: await readNow(database, trx) });
    },
    async restore(trx, member, id) {
      await workspaces.findDeleted(trx, member, id);
      // Checked again with the lock, since its erasure can begin meanwhile.
      await lockWorkspace(database, trx, id);
      const workspace = await workspaces.findDeleted(trx, member, id);
      await update(trx, id, { date_deleted: null });
      return { ...workspace, dateErased: null };
    },
  };
}

type WorkspaceUpdate = { name: string } | { date_deleted: number | null };

async function updateWorkspace(trx: Transaction, id: string, values: WorkspaceUpdate): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set(values)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirstOrThrow(notFound);
}

/** @throws Problem 409 `personal_workspace` */
export function requireShared({ personal }: FoundWorkspace): void {
  if (personal)
    throw new Problem('personal_workspace', 'A personal workspace has no members and cannot be deleted.');
}
