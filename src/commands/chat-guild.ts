import { guildJson } from '../chat/directory/record-json.ts';
import { withDirectory } from './shared/chat.ts';
import { createCommand, createGroup } from './shared/cli.ts';
import { print, printList } from './shared/output.ts';

/** `posthouse chat-guild …`: the guilds (servers) to which a client sends messages. */
export function defineCommand(about: string) {
  return createGroup('chat-guild', about, [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'add a guild to which a client sends messages')
    .requiredOption('--client <client>', 'name or GUID of the client')
    .requiredOption('--platform-id <id>', 'id of the guild on the platform')
    .requiredOption('--name <name>', 'name of the guild')
    .action(({ client, platformId, name }) =>
      withDirectory(command, async (directory, database) => {
        const guild = await database.transaction(async (trx) =>
          directory.addGuild(trx, await directory.clientId(trx, client), { platformId, name }),
        );
        print(command, guildJson(guild), `Added the guild ${guild.name} (${guild.id}).`);
      }),
    );
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list guilds')
    .option('--client <client>', 'list only the guilds of this client (name or GUID)')
    .action(({ client }) =>
      withDirectory(command, async (directory, { read }) => {
        const clientId = client === undefined ? null : await directory.clientId(read, client);
        const guilds = (await directory.guilds(read, clientId)).map(guildJson);
        const rows = guilds.map((guild) => [
          guild.id,
          guild.platformId,
          guild.name,
          guild.enabled ? '' : 'disabled',
        ]);
        printList(command, { guilds }, rows, 'There are no guilds.');
      }),
    );
  return command;
}
