import { DEFAULT_TOKEN_DAYS, DEFAULT_TOKEN_SCOPE, daysField, scopeField } from '../identity/fields.ts';
import type { Token } from '../identity/tokens.ts';
import { tokenRecord } from '../kernel/access-tokens.ts';
import { DAY, isoTime } from '../kernel/clock.ts';
import { isId } from '../kernel/ids.ts';
import { nameField } from '../kernel/shared-fields.ts';
import { tokenRoleField } from '../storage/teams/fields.ts';
import type { WorkspaceToken } from '../storage/teams/tokens.ts';
import { CommandError, createCommand, createGroup, flagValue, type ParsedCommand } from './shared/cli.ts';
import { withAccount, withIdentity } from './shared/identity.ts';
import { print, printList } from './shared/output.ts';
import { withTeams, withWorkspace } from './shared/teams.ts';

/** Role of a token of a workspace. */
const DEFAULT_ROLE = 'editor';

/** `posthouse token …`: access tokens of people, for their scripts, and of workspaces, for applications. */
export function defineCommand(about: string) {
  return createGroup('token', about, [addCommand(), listCommand(), revokeCommand()]);
}

interface OwnerOptions {
  email?: string;
  workspace?: string;
}

/** Calls the function for the owner that the options name. @throws CommandError unless they name exactly one */
function forOwner<Result>(
  { email, workspace }: OwnerOptions,
  ofPerson: (email: string) => Promise<Result>,
  ofWorkspace: (workspace: string) => Promise<Result>,
): Promise<Result> {
  if (email !== undefined && workspace === undefined) return ofPerson(email);
  if (workspace !== undefined && email === undefined) return ofWorkspace(workspace);
  throw new CommandError('Exactly one of --email and --workspace is required.');
}

interface NewToken {
  name: string;
  days: number;
  scope?: string;
  role?: string;
}

function addCommand() {
  const command = createCommand('add', 'create a token for the scripts of a person, or for an application')
    .option('--email <address>', 'e-mail address of the person')
    .option('--workspace <name>', 'name or id of the shared workspace to which the token gives access')
    .requiredOption('--name <name>', 'purpose of the token')
    .option(
      '--scope <scope>',
      `scope of a token of a person: read or write (default: "${DEFAULT_TOKEN_SCOPE}")`,
    )
    .option('--role <role>', `role of a token of a workspace: viewer or editor (default: "${DEFAULT_ROLE}")`)
    .option('--days <number>', 'days until it expires', String(DEFAULT_TOKEN_DAYS))
    .action(async ({ email, workspace, scope, role, ...options }) => {
      const name = flagValue('name', nameField, options.name);
      const days = flagValue('days', daysField, Number(options.days));
      const wanted = { name, days, scope, role };
      const { id, token, expiresAt } = await forOwner(
        { email, workspace },
        (email) => createOfPerson(command, email, wanted),
        (workspace) => createOfWorkspace(command, workspace, wanted),
      );
      const expiry = `It is shown only once. It expires on ${isoTime(expiresAt).slice(0, 10)}.`;
      print(command, { id, token }, `${token}\n${expiry}`);
    });
  return command;
}

function createOfPerson(command: ParsedCommand, email: string, { name, days, role, ...wanted }: NewToken) {
  if (role !== undefined) throw new CommandError('--role is for tokens of a workspace.');
  const scope = flagValue('scope', scopeField, wanted.scope ?? DEFAULT_TOKEN_SCOPE);
  return withAccount(command, email, async (account, { tokens, database, clock }) => {
    if (account.disabled) throw new CommandError(`${account.email} is disabled.`, 'conflict');
    const expiresAt = clock.now() + days * DAY;
    const created = await database.transaction((trx) =>
      tokens.create(trx, { accountId: account.id, name, scope, expiresAt }),
    );
    return { ...created, expiresAt };
  });
}

function createOfWorkspace(
  command: ParsedCommand,
  workspace: string,
  { name, days, scope, ...wanted }: NewToken,
) {
  if (scope !== undefined) throw new CommandError('--scope is for tokens of a person.');
  const role = flagValue('role', tokenRoleField, wanted.role ?? DEFAULT_ROLE);
  return withWorkspace(command, workspace, async (found, { tokens, database, clock }) => {
    const expiresAt = clock.now() + days * DAY;
    const created = await database.transaction((trx) =>
      tokens.create(trx, found, { name, role, expiresAt, createdBy: null }),
    );
    return { ...created, expiresAt };
  });
}

function listCommand() {
  const command = createCommand('list', 'list the tokens of a person or of a workspace')
    .option('--email <address>', 'e-mail address of the account')
    .option('--workspace <name>', 'name or id of a shared workspace')
    .action(async (options) => {
      const tokens = await forOwner<(Token | WorkspaceToken)[]>(
        options,
        (email) => withAccount(command, email, async ({ id }, stores) => await stores.tokens.list(id)),
        (workspace) =>
          withWorkspace(command, workspace, async ({ id }, stores) => await stores.tokens.list(id)),
      );
      const records = tokens.map((token) => tokenRecord(token));
      const rows = records.map(({ id, name, expiresAt, ...token }) => [
        id,
        name,
        String('scope' in token ? token.scope : 'role' in token ? token.role : ''),
        `until ${expiresAt?.slice(0, 10) ?? 'revoked'}`,
      ]);
      printList(command, { tokens: records }, rows, `${options.email ?? options.workspace} has no tokens.`);
    });
  return command;
}

function revokeCommand() {
  const command = createCommand('revoke', 'revoke a token')
    .requiredOption('--id <id>', 'id of the token, as listed')
    .action(async (options) => {
      const id = options.id.toLowerCase();
      if (!isId(id)) throw new CommandError('--id must be an id listed by “posthouse token list”.');
      const revoked =
        (await withIdentity(command, ({ tokens, database }) =>
          database.transaction((trx) => tokens.revoke(trx, id, null)),
        )) ||
        (await withTeams(command, ({ tokens, database }) =>
          database.transaction((trx) => tokens.revoke(trx, id, null)),
        ));
      if (!revoked) throw new CommandError('There is no token with this id.', 'not_found');
      print(command, { id }, 'The token is revoked.');
    });
  return command;
}
