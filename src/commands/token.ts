import { DEFAULT_TOKEN_DAYS, daysField, nameField, scopeField } from '../identity/fields.ts';
import { DAY, isoTime } from '../kernel/clock.ts';
import { isId } from '../kernel/ids.ts';
import { openPeople } from '../people.ts';
import { CommandError, createCommand, createGroup, print, withFoundation } from './command.ts';
import { accountByEmail, flagValue, table } from './people.ts';

/** `posthouse token …`: personal access tokens for scripts. */
export function tokenCommand() {
  return createGroup('token', 'personal access tokens', [addCommand(), listCommand(), revokeCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'make a token for a person’s scripts')
    .requiredOption('--email <address>', 'whose')
    .requiredOption('--name <name>', 'what it is for')
    .option('--scope <scope>', 'read or write', 'write')
    .option('--days <number>', 'after how many days it runs out', String(DEFAULT_TOKEN_DAYS))
    .action(async (options) => {
      const name = flagValue('name', nameField, options.name);
      const scope = flagValue('scope', scopeField, options.scope);
      const days = flagValue('days', daysField, Number(options.days));
      await withFoundation(command, async (foundation, config) => {
        const people = openPeople(foundation, config);
        const account = await accountByEmail(people, options.email);
        if (account.disabled) throw new CommandError(`${account.email} is disabled.`);
        const expiresAt = foundation.clock.now() + days * DAY;
        const { id, token } = await foundation.database.transaction((trx) =>
          people.tokens.make(trx, { accountId: account.id, name, scope, expiresAt }),
        );
        print(
          command,
          { id, token },
          `${token}\nThis is the only time that it is shown. It runs out on ${isoTime(expiresAt).slice(0, 10)}.`,
        );
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show a person’s tokens')
    .requiredOption('--email <address>', 'whose')
    .action(async ({ email }) => {
      await withFoundation(command, async (foundation, config) => {
        const people = openPeople(foundation, config);
        const account = await accountByEmail(people, email);
        const tokens = (await people.tokens.list(account.id)).map((token) => ({
          ...token,
          dateCreated: isoTime(token.dateCreated),
          dateUsed: token.dateUsed === null ? null : isoTime(token.dateUsed),
          expiresAt: token.expiresAt === null ? null : isoTime(token.expiresAt),
        }));
        const rows = tokens.map(({ id, name, scope, expiresAt }) => [id, name, scope, `until ${expiresAt?.slice(0, 10) ?? 'revoked'}`]);
        print(command, { tokens }, rows.length > 0 ? table(rows) : `${account.email} has no token.`);
      });
    });
  return command;
}

function revokeCommand() {
  const command = createCommand('revoke', 'end a token at once')
    .requiredOption('--id <id>', 'as list shows it')
    .action(async ({ id }) => {
      if (!isId(id.toLowerCase())) throw new CommandError('--id must be an id as “posthouse token list” shows it.');
      await withFoundation(command, async (foundation, config) => {
        const { tokens } = openPeople(foundation, config);
        const revoked = await foundation.database.transaction((trx) => tokens.revoke(trx, id.toLowerCase(), null));
        if (!revoked) throw new CommandError('There is no token with this id.');
        print(command, { id: id.toLowerCase() }, 'The token is revoked.');
      });
    });
  return command;
}
