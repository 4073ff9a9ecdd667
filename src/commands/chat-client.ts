import { Option } from '@commander-js/extra-typings';
import { clientJson } from '../chat/directory/record-json.ts';
import { DEFAULT_PLATFORM, PLATFORMS } from '../chat/tables.ts';
import { stateOf, withDirectory } from './shared/chat.ts';
import { createCommand, createGroup } from './shared/cli.ts';
import { print, printList } from './shared/output.ts';
import { SECRET_HELP, secretInput } from './shared/secret-input.ts';

/** `posthouse chat-client …`: the bots that send. */
export function defineCommand(about: string) {
  return createGroup('chat-client', about, [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'create a client; without a token its messages go to the sandbox')
    .requiredOption('--name <name>', 'name that callers use')
    .option('--token <token>', `token of the bot ${SECRET_HELP}`)
    .addOption(
      new Option('--platform <platform>', 'platform of the client')
        .choices(PLATFORMS)
        .default(DEFAULT_PLATFORM),
    )
    .option(
      '--relay-key',
      'create a key that callers must send in the header X-Relay-Key; it is printed only once',
    )
    .action(async ({ token, relayKey: withKey = false, ...client }) => {
      const given = token === undefined ? null : await secretInput('token', token);
      await withDirectory(command, async (directory, database) => {
        const saved = await database.transaction((trx) =>
          directory.addClient(trx, { ...client, token: given, relayKey: withKey }),
        );
        const { id, name, platform, sandbox, relayKey } = clientJson(saved);
        const place = sandbox ? ', which sends to the sandbox' : '';
        const key = relayKey ? `\nIts relay key, shown only once: ${relayKey}` : '';
        const text = `Created the client ${name} (${id})${place}.${key}`;
        print(command, { id, name, platform, sandbox, relayKey }, text);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list all clients').action(() =>
    withDirectory(command, async (directory, { read }) => {
      const clients = (await directory.clients(read)).map((client) => {
        const { hasToken, ...shown } = clientJson({ client });
        return shown;
      });
      const rows = clients.map((client) => [
        client.id,
        client.name,
        client.sandbox ? 'sandbox' : '',
        stateOf(client),
      ]);
      printList(command, { clients }, rows, 'There are no chat clients.');
    }),
  );
  return command;
}
