import { emailField } from '../identity/fields.ts';
import { nameField } from '../kernel/shared-fields.ts';
import type { WorkspaceUse } from '../storage/teams/administration.ts';
import { memberRoleField } from '../storage/teams/fields.ts';
import { ROLES } from '../storage/tree/member.ts';
import { createCommand, createGroup, flagValue } from './shared/cli.ts';
import { print, printList } from './shared/output.ts';
import { withTeams, withWorkspace } from './shared/teams.ts';

/** `posthouse workspace …`: shared workspaces and their members. */
export function defineCommand(about: string) {
  const members = [addMemberCommand(), listMembersCommand(), removeMemberCommand()];
  return createGroup('workspace', about, [
    addCommand(),
    listCommand(),
    createGroup('member', 'manage the members of a shared workspace', members),
  ]);
}

function addCommand() {
  const command = createCommand('add', 'create a shared workspace')
    .requiredOption('--name <name>', 'name of the workspace')
    .option('--manager <address>', 'e-mail address of its first manager')
    .action(async (options) => {
      const name = flagValue('name', nameField, options.name);
      const email = flagValue('manager', emailField.optional(), options.manager);
      await withTeams(command, async ({ workspaces, memberships, database }) => {
        const accountId = email === undefined ? null : (await memberships.accountOf(email)).id;
        const created = await database.transaction((trx) =>
          workspaces.create(trx, { name, personal: false, accountId }),
        );
        const text = `Created the workspace ${name} (${created.id})${email ? `, managed by ${email}` : ''}.`;
        print(command, facts(created), text);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list the shared workspaces').action(() =>
    withTeams(command, async ({ administration }) => {
      const shared = (await administration.all()).filter(({ personal }) => !personal);
      const workspaces = shared.map(({ usedBytes, maxBytes, managers, deleted, ...workspace }) => ({
        ...facts(workspace),
        usedBytes,
        maxBytes,
        managers: managers.map(({ email }) => email),
        deleted,
      }));
      const rows = workspaces.map(({ id, name, managers, deleted }) => [
        id,
        name,
        deleted ? 'deleted' : managers.join(', ') || 'no manager',
      ]);
      printList(command, { workspaces }, rows, 'There are no shared workspaces.');
    }),
  );
  return command;
}

function addMemberCommand() {
  const command = createCommand('add', 'add a member, or change the role of a member')
    .requiredOption('--workspace <name>', 'name or id of the workspace')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .option('--role <role>', ROLES.join(', '), 'editor')
    .action(async (options) => {
      const email = flagValue('email', emailField, options.email);
      const role = flagValue('role', memberRoleField, options.role);
      await withWorkspace(command, options.workspace, async (workspace, { memberships, database }) => {
        const account = await memberships.accountOf(email);
        await database.transaction((trx) => memberships.put(trx, workspace, account, role));
        const text = `${account.email} is ${role} of ${workspace.name}.`;
        print(command, { ...facts(workspace), email: account.email, role }, text);
      });
    });
  return command;
}

function listMembersCommand() {
  const command = createCommand('list', 'list the members of a workspace')
    .requiredOption('--workspace <name>', 'name or id of the workspace')
    .action((options) =>
      withWorkspace(command, options.workspace, async ({ id }, { memberships }) => {
        const members = await memberships.list(id);
        const rows = members.map(({ email, name, role }) => [email, name, role]);
        printList(command, { members }, rows, 'The workspace has no members.');
      }),
    );
  return command;
}

function removeMemberCommand() {
  const command = createCommand('remove', 'remove a member')
    .requiredOption('--workspace <name>', 'name or id of the workspace')
    .requiredOption('--email <address>', 'e-mail address of the person')
    .action(async (options) => {
      const email = flagValue('email', emailField, options.email);
      await withWorkspace(command, options.workspace, async (workspace, { memberships, database }) => {
        const member = await memberships.memberWith(workspace.id, email);
        await database.transaction((trx) => memberships.remove(trx, workspace, member.accountId));
        print(
          command,
          { ...facts(workspace), email },
          `${email} is no longer a member of ${workspace.name}.`,
        );
      });
    });
  return command;
}

function facts({ id, name, rootFolderId }: Pick<WorkspaceUse, 'id' | 'name' | 'rootFolderId'>) {
  return { id, name, rootFolderId };
}
