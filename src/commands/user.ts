import { type Account, LOCAL_ISSUER } from '../identity/account.ts';
import { emailField, passwordField, roleField } from '../identity/fields.ts';
import { isoTime } from '../kernel/clock.ts';
import { nameField } from '../kernel/shared-fields.ts';
import { CommandError, createCommand, createGroup, flagValue } from './shared/cli.ts';
import { withAccount, withIdentity } from './shared/identity.ts';
import { print, printList } from './shared/output.ts';
import { SECRET_HELP, secretInput } from './shared/secret-input.ts';

const PASSWORD_HELP = `password ${SECRET_HELP} (default: -)`;

/** `posthouse user …`: accounts. */
export function defineCommand(about: string) {
  return createGroup('user', about, [
    addCommand(),
    listCommand(),
    setPasswordCommand(),
    setRoleCommand(),
    setDisabledCommand('disable', true),
    setDisabledCommand('enable', false),
  ]);
}

function addCommand() {
  const command = createCommand('add', 'create an account; with an external issuer, invite a person')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', PASSWORD_HELP)
    .option('--name <name>', 'name of the person')
    .option('--admin', 'create an administrator')
    .action(async ({ email, password, name, admin }) => {
      const account = {
        email: flagValue('email', emailField, email),
        name: flagValue('name', nameField.optional(), name),
        role: admin ? ('admin' as const) : ('user' as const),
      };
      await withIdentity(command, async ({ accounts, database }) => {
        const isLocal = accounts.issuer === LOCAL_ISSUER;
        if (!isLocal && password !== undefined)
          process.stderr.write(`The password is ignored: people sign in at ${accounts.issuer}.\n`);
        const passwordHash = isLocal
          ? await accounts.hashPassword(await passwordOf(password), 'command')
          : undefined;
        const created = await database.transaction((trx) =>
          accounts.create(trx, { ...account, passwordHash }),
        );
        print(
          command,
          facts(created),
          `Created the account ${created.email} (${created.role}, ${created.id}).`,
        );
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list all accounts').action(() =>
    withIdentity(command, async ({ accounts }) => {
      const users = (await accounts.list()).map(({ subject, dateCreated, dateSignedIn, ...account }) => ({
        ...account,
        invited: subject === null,
        dateCreated: isoTime(dateCreated),
        dateSignedIn: dateSignedIn === null ? null : isoTime(dateSignedIn),
      }));
      const rows = users.map(({ id, email, role, disabled, invited }) => [
        id,
        email,
        role,
        disabled ? 'disabled' : invited ? 'invited' : '',
      ]);
      printList(command, { users }, rows, 'There are no accounts.');
    }),
  );
  return command;
}

function setPasswordCommand() {
  const about = 'set the password of an account; ends its sessions and tokens';
  const command = createCommand('set-password', about)
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', PASSWORD_HELP)
    .action((options) =>
      withAccount(command, options.email, async (account, { accounts, database }) => {
        const { id, email, issuer } = account;
        if (issuer !== LOCAL_ISSUER)
          throw new CommandError(`${email} signs in at ${issuer} and has no password here.`, 'conflict');
        const hash = await accounts.hashPassword(await passwordOf(options.password), 'command');
        await database.transaction((trx) => accounts.setPassword(trx, id, hash));
        print(command, facts(account), `Set the password of ${email}; its sessions and tokens have ended.`);
      }),
    );
  return command;
}

function setRoleCommand() {
  const command = createCommand('set-role', 'set the role of an account; ends its sessions and tokens')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--role <role>', 'admin or user')
    .action(async (options) => {
      const role = flagValue('role', roleField, options.role);
      await withAccount(command, options.email, async (account, { accounts, database }) => {
        await database.transaction((trx) => accounts.setRole(trx, account.id, role));
        const text = `${account.email} has the role ${role}; its sessions and tokens have ended.`;
        print(command, { ...facts(account), role }, text);
      });
    });
  return command;
}

function setDisabledCommand(name: 'disable' | 'enable', disabled: boolean) {
  const about = disabled ? 'disable an account; ends its sessions and tokens' : 'enable a disabled account';
  const command = createCommand(name, about)
    .requiredOption('--email <address>', 'e-mail address')
    .action(({ email }) =>
      withAccount(command, email, async (account, { accounts, database }) => {
        await database.transaction((trx) => accounts.setDisabled(trx, account.id, disabled));
        print(command, facts(account), `${account.email} is ${disabled ? 'disabled' : 'enabled'}.`);
      }),
    );
  return command;
}

function facts({ id, email, role }: Account): Pick<Account, 'id' | 'email' | 'role'> {
  return { id, email, role };
}

/** @throws CommandError */
async function passwordOf(password: string | undefined): Promise<string> {
  return flagValue('password', passwordField, await secretInput('password', password));
}
