import type { Database, Reader, Transaction } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { Changed } from '../tree/changes.ts';
import { lockWorkspace } from '../tree/lock.ts';
import { ROLES, type Role } from '../tree/member.ts';
import type { FoundWorkspace, Workspaces } from '../tree/workspaces.ts';
import type { Account, Accounts } from './accounts.ts';
import { requireShared } from './shared-workspaces.ts';

/** A person with a role in a workspace. */
export interface TeamMember {
  accountId: string;
  email: string;
  name: string;
  role: Role;
}

/**
 * The people of shared workspaces. Callers find the workspace for an administrator first, or for a manager with its
 * lock (`Workspaces.findLocked`), so that two managers cannot remove each other at the same time.
 */
export interface Memberships {
  /** Returns the members by role, then by name. */
  list(workspaceId: string): Promise<TeamMember[]>;
  /**
   * Adds a person. @throws Problem 404 `unknown_account`, 409 `already_member`, `personal_workspace`
   */
  add(trx: Transaction, workspace: FoundWorkspace, account: Account, role: Role): Promise<void>;
  /** Adds a person, or changes the role of a member. @throws Problem 409 `last_manager`, `personal_workspace` */
  put(trx: Transaction, workspace: FoundWorkspace, account: Account, role: Role): Promise<void>;
  /** @throws Problem 404 for an account that is not a member, 409 `last_manager`, `personal_workspace` */
  change(trx: Transaction, workspace: FoundWorkspace, accountId: string, role: Role): Promise<void>;
  /** @throws Problem 404 for an account that is not a member, 409 `last_manager`, `personal_workspace` */
  remove(trx: Transaction, workspace: FoundWorkspace, accountId: string): Promise<void>;
  /** Returns the member with an address. @throws Problem 404 `unknown_account` */
  memberWith(workspaceId: string, email: string): Promise<TeamMember>;
  /** Returns the account with an address that is not disabled. @throws Problem 404 `unknown_account` */
  accountOf(email: string): Promise<Account>;
}

interface MembershipsDeps {
  database: Database;
  accounts: Accounts;
  workspaces: Pick<Workspaces, 'profileOf'>;
  changed: Changed;
}

export function createMemberships({ database, accounts, workspaces, changed }: MembershipsDeps): Memberships {
  async function change(trx: Transaction, workspace: FoundWorkspace, accountId: string, role: Role) {
    await requireOther(trx, database, workspace, { accountId, staysManager: role === 'manager' });
    await trx
      .updateTable('memberships')
      .set({ role })
      .where('workspace_id', '=', workspace.id)
      .where('account_id', '=', accountId)
      .execute();
    changed(trx, workspace.id, null);
  }

  async function list(workspaceId: string): Promise<TeamMember[]> {
    const roles = await rolesIn(database.read, workspaceId);
    const found = await accounts.byIds([...roles.keys()]);
    return found
      .map(({ id, email, name }) => ({
        accountId: id,
        email,
        name,
        role: roles.get(id) ?? ('viewer' as const),
      }))
      .sort((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role) || a.name.localeCompare(b.name));
  }

  return {
    list,
    async memberWith(workspaceId, email) {
      const account = await accounts.byEmail(email);
      const member = (await list(workspaceId)).find(({ accountId }) => accountId === account?.id);
      if (!member) throw new Problem('unknown_account', 'The workspace has no member with this address.');
      return member;
    },
    async add(trx, workspace, { id }, role) {
      if (!(await insert(trx, workspace, id, role)))
        throw new Problem('already_member', 'This person is already a member.');
      changed(trx, workspace.id, null);
    },
    async put(trx, workspace, { id }, role) {
      if (await insert(trx, workspace, id, role)) changed(trx, workspace.id, null);
      else await change(trx, workspace, id, role);
    },
    change,
    async remove(trx, workspace, accountId) {
      await requireOther(trx, database, workspace, { accountId, staysManager: false });
      await trx
        .deleteFrom('memberships')
        .where('workspace_id', '=', workspace.id)
        .where('account_id', '=', accountId)
        .execute();
      changed(trx, workspace.id, null);
      // The removed member receives no more events of this workspace, so it gets one of its personal workspace.
      const own = await workspaces.profileOf(accountId, trx);
      if (own.workspaceId !== null) changed(trx, own.workspaceId, null);
    },
    async accountOf(email) {
      const account = await accounts.byEmail(email);
      if (account && !account.disabled) return account;
      throw new Problem('unknown_account', 'There is no account with this address.');
    },
  };
}

/** Adds a member; returns false when it is one already. */
async function insert(
  trx: Transaction,
  workspace: FoundWorkspace,
  accountId: string,
  role: Role,
): Promise<boolean> {
  requireShared(workspace);
  const added = await trx
    .insertInto('memberships')
    .values({ workspace_id: workspace.id, account_id: accountId, role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Returns the roles of the people of a workspace by account. */
async function rolesIn(reader: Reader, workspaceId: string): Promise<Map<string, Role>> {
  const rows = await reader
    .selectFrom('memberships')
    .select(['account_id', 'role'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', 'not in', (from) =>
      from.selectFrom('workspace_tokens').select('id').where('workspace_id', '=', workspaceId),
    )
    .execute();
  return new Map(rows.map(({ account_id, role }) => [account_id, role === 'owner' ? 'manager' : role]));
}

/** Checks that a change of one member leaves a manager, with the workspace locked. */
async function requireOther(
  trx: Transaction,
  database: Database,
  workspace: FoundWorkspace,
  { accountId, staysManager }: { accountId: string; staysManager: boolean },
): Promise<void> {
  requireShared(workspace);
  await lockWorkspace(database, trx, workspace.id);
  const roles = await rolesIn(trx, workspace.id);
  if (!roles.has(accountId)) throw notFound();
  if (staysManager) return;
  const isOther = ([id, role]: [string, Role]) => id !== accountId && role === 'manager';
  if (roles.get(accountId) === 'manager' && ![...roles].some(isOther))
    throw new Problem('last_manager', 'This is the only manager. Make another member a manager first.');
}
