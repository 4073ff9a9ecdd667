import type { Account } from '../identity/accounts.ts';
import { LOCAL_ISSUER } from '../identity/accounts.ts';
import { emailField, nameField, passwordField, roleField } from '../identity/fields.ts';
import { isoTime } from '../kernel/clock.ts';
import { openPeople } from '../people.ts';
import { CommandError, createCommand, createGroup, print, withFoundation } from './command.ts';
import { accountByEmail, flagValue, table } from './people.ts';

const PASSWORD_HELP = 'the password (left out: one line of standard input)';

/** `posthouse user …`: who may sign in. */
export function userCommand() {
  return createGroup('user', 'people', [
    addCommand(),
    listCommand(),
    setPasswordCommand(),
    setRoleCommand(),
    setDisabledCommand('disable', true),
    setDisabledCommand('enable', false),
  ]);
}

function addCommand() {
  const command = createCommand('add', 'make an account; with an external issuer, invite a person')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', PASSWORD_HELP)
    .option('--name <name>', 'what the person is called')
    .option('--admin', 'make an administrator')
    .action(async ({ email, password, name, admin }) => {
      const account = {
        email: flagValue('email', emailField, email),
        name: name === undefined ? undefined : flagValue('name', nameField, name),
        role: admin ? ('admin' as const) : ('user' as const),
      };
      await withFoundation(command, async (foundation, config) => {
        const { accounts } = openPeople(foundation, config);
        let passwordHash: string | undefined;
        if (accounts.issuer === LOCAL_ISSUER) {
          passwordHash = await accounts.hashPassword(flagValue('password', passwordField, password ?? (await readLine('password'))));
        } else if (password !== undefined) {
          process.stderr.write(`The password is not kept: people sign in at ${accounts.issuer}.\n`);
        }
        const made = await foundation.database.transaction((trx) => accounts.make(trx, { ...account, passwordHash }));
        print(command, facts(made), `${made.email} has an account now (${made.role}, ${made.id}).`);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show all accounts').action(async () => {
    await withFoundation(command, async (foundation, config) => {
      const all = await openPeople(foundation, config).accounts.list();
      const users = all.map((account) => ({
        ...facts(account),
        name: account.name,
        issuer: account.issuer,
        disabled: account.disabled,
        invited: account.subject === null,
        dateCreated: isoTime(account.dateCreated),
        dateSignedIn: account.dateSignedIn === null ? null : isoTime(account.dateSignedIn),
      }));
      const rows = users.map((user) => [user.id, user.email, user.role, user.disabled ? 'disabled' : user.invited ? 'invited' : '']);
      print(command, { users }, rows.length > 0 ? table(rows) : 'There is no account yet.');
    });
  });
  return command;
}

function setPasswordCommand() {
  const command = createCommand('set-password', 'give an account another password; ends its sessions and tokens')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <password>', PASSWORD_HELP)
    .action(async ({ email, password }) => {
      await withFoundation(command, async (foundation, config) => {
        const people = openPeople(foundation, config);
        const account = await accountByEmail(people, email);
        if (account.issuer !== LOCAL_ISSUER)
          throw new CommandError(`${account.email} signs in at ${account.issuer}, so there is no password here.`);
        const chosen = flagValue('password', passwordField, password ?? (await readLine('password')));
        const hash = await people.accounts.hashPassword(chosen);
        await foundation.database.transaction((trx) => people.accounts.setPassword(trx, account.id, hash));
        print(command, facts(account), `${account.email} has another password now; sessions and tokens have ended.`);
      });
    });
  return command;
}

function setRoleCommand() {
  const command = createCommand('set-role', 'make an account an administrator, or a user again; ends its sessions and tokens')
    .requiredOption('--email <address>', 'e-mail address')
    .requiredOption('--role <role>', 'admin or user')
    .action(async ({ email, role }) => {
      const chosen = flagValue('role', roleField, role);
      await withFoundation(command, async (foundation, config) => {
        const people = openPeople(foundation, config);
        const account = await accountByEmail(people, email);
        await foundation.database.transaction((trx) => people.accounts.setRole(trx, account.id, chosen));
        print(command, { ...facts(account), role: chosen }, `${account.email} has the role ${chosen} now; sessions and tokens have ended.`);
      });
    });
  return command;
}

function setDisabledCommand(name: 'disable' | 'enable', disabled: boolean) {
  const about = disabled ? 'let an account sign in no more; ends its sessions and tokens' : 'let a disabled account sign in again';
  const command = createCommand(name, about)
    .requiredOption('--email <address>', 'e-mail address')
    .action(async ({ email }) => {
      await withFoundation(command, async (foundation, config) => {
        const people = openPeople(foundation, config);
        const account = await accountByEmail(people, email);
        await foundation.database.transaction((trx) => people.accounts.setDisabled(trx, account.id, disabled));
        print(command, facts(account), `${account.email} is ${disabled ? 'disabled' : 'enabled'} now.`);
      });
    });
  return command;
}

function facts({ id, email, role }: Account): Pick<Account, 'id' | 'email' | 'role'> {
  return { id, email, role };
}

async function readLine(what: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(`${what}: `);
  for await (const line of console) return line;
  throw new CommandError(`--${what} is missing.`);
}
