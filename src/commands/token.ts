import { DEFAULT_TOKEN_DAYS, daysField, nameField, scopeField } from '../identity/fields.ts';
import { tokenRecord } from '../identity/tokens.ts';
import { DAY, isoTime } from '../kernel/clock.ts';
import { isId } from '../kernel/ids.ts';
import { withAccount, withIdentity } from './account.ts';
import { CommandError, createCommand, createGroup, flagValue, print, printList } from './cli.ts';

/** `posthouse token …`: personal access tokens for scripts. */
export function defineCommand(about: string) {
  return createGroup('token', about, [addCommand(), listCommand(), revokeCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'create a token for the scripts of a person')
    .requiredOption('--email <address>', 'e-mail address of its account')
    .requiredOption('--name <name>', 'purpose of the token')
    .option('--scope <scope>', 'read or write', 'write')
    .option('--days <number>', 'days until it expires', String(DEFAULT_TOKEN_DAYS))
    .action(async (options) => {
      const name = flagValue('name', nameField, options.name);
      const scope = flagValue('scope', scopeField, options.scope);
      const days = flagValue('days', daysField, Number(options.days));
      await withAccount(command, options.email, async (account, { tokens, database, clock }) => {
        if (account.disabled) throw new CommandError(`${account.email} is disabled.`, 'conflict');
        const expiresAt = clock.now() + days * DAY;
        const { id, token } = await database.transaction((trx) =>
          tokens.create(trx, { accountId: account.id, name, scope, expiresAt }),
        );
        const expiry = `It is shown only this once. It expires on ${isoTime(expiresAt).slice(0, 10)}.`;
        print(command, { id, token }, `${token}\n${expiry}`);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list the tokens of a person')
    .requiredOption('--email <address>', 'e-mail address of the account')
    .action(({ email }) =>
      withAccount(command, email, async (account, stores) => {
        const tokens = (await stores.tokens.list(account.id)).map(tokenRecord);
        const rows = tokens.map(({ id, name, scope, expiresAt }) => [
          id,
          name,
          scope,
          `until ${expiresAt?.slice(0, 10) ?? 'revoked'}`,
        ]);
        printList(command, { tokens }, rows, `${account.email} has no token.`);
      }),
    );
  return command;
}

function revokeCommand() {
  const command = createCommand('revoke', 'revoke a token')
    .requiredOption('--id <id>', 'id of the token, as listed')
    .action(async (options) => {
      const id = options.id.toLowerCase();
      if (!isId(id)) throw new CommandError('--id must be an id listed by “posthouse token list”.');
      await withIdentity(command, async ({ tokens, database }) => {
        const revoked = await database.transaction((trx) => tokens.revoke(trx, id, null));
        if (!revoked) throw new CommandError('There is no token with this id.', 'not_found');
        print(command, { id }, 'The token is revoked.');
      });
    });
  return command;
}
