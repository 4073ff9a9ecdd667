import { Option } from '@commander-js/extra-typings';
import { createDirectory } from '../chat/directory.ts';
import { PLATFORMS } from '../chat/tables.ts';
import { isoTime } from '../kernel/clock.ts';
import { CommandError, createCommand, createGroup, print, withFoundation } from './command.ts';
import { table } from './people.ts';

/** `posthouse chat-client …`: the bots that send. */
export function chatClientCommand() {
  return createGroup('chat-client', 'bots that send into chats', [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'make a client; without a token its messages go to the sandbox')
    .requiredOption('--name <name>', 'what callers name it by')
    .option('--token <token>', 'the bot’s token (- = one line of standard input)')
    .addOption(new Option('--platform <platform>', 'where it sends').choices(PLATFORMS).default('discord' as const))
    .option('--relay-key', 'make a key that callers must show in the header X-Relay-Key; it is printed this once')
    .action(async ({ name, token, platform, relayKey }) => {
      const given = token === '-' ? (await Bun.stdin.text()).split('\n', 1)[0]?.trim() : token;
      if (given === '') throw new CommandError('The token is empty.');
      await withFoundation(command, async ({ database, vault, clock }) => {
        const made = await database.transaction((trx) =>
          createDirectory({ vault, clock }).addClient(trx, { name, platform, token: given ?? null, relayKey: relayKey ?? false }),
        );
        const { client } = made;
        const shown = {
          id: client.id,
          name: client.name,
          platform: client.platform,
          sandbox: client.platform === 'sandbox' || !client.hasToken,
          ...(made.relayKey === null ? {} : { relayKey: made.relayKey }),
        };
        const key = made.relayKey === null ? '' : `\nIts relay key, shown this once: ${made.relayKey}`;
        print(command, shown, `The client ${client.name} is ${client.id}${shown.sandbox ? ' and sends to the sandbox' : ''}.${key}`);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show all clients').action(async () => {
    await withFoundation(command, async ({ database, vault, clock }) => {
      const all = await createDirectory({ vault, clock }).clients(database.read);
      const clients = all.map(({ hasToken, pause, dateCreated, ...client }) => ({
        ...client,
        sandbox: client.platform === 'sandbox' || !hasToken,
        paused: pause === null ? null : { since: isoTime(pause.since), reason: pause.reason },
        dateCreated: isoTime(dateCreated),
      }));
      const rows = clients.map(({ id, name, sandbox, enabled, paused }) => [
        id,
        name,
        sandbox ? 'sandbox' : '',
        enabled ? (paused ? `paused: ${paused.reason}` : '') : 'disabled',
      ]);
      print(command, { clients }, rows.length > 0 ? table(rows) : 'There is no chat client yet.');
    });
  });
  return command;
}
