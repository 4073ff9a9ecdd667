import { channelJson } from '../chat/directory/record-json.ts';
import { stateOf, withDirectory } from './shared/chat.ts';
import { createCommand, createGroup } from './shared/cli.ts';
import { print, printList } from './shared/output.ts';

/** `posthouse chat-channel …`: the channels of a guild to which its client sends messages. */
export function defineCommand(about: string) {
  return createGroup('chat-channel', about, [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'add a channel to which the client of a guild sends messages')
    .requiredOption('--guild <guild>', 'platform id, GUID or name of the guild')
    .requiredOption('--platform-id <id>', 'id of the channel on the platform')
    .requiredOption('--name <name>', 'name of the channel')
    .option('--client <client>', 'name or GUID of the client, when several clients have the guild')
    .action(({ guild, platformId, name, client }) =>
      withDirectory(command, async (directory, database) => {
        const channel = await database.transaction(async (trx) => {
          const clientId = client === undefined ? null : await directory.clientId(trx, client);
          const guildId = await directory.guildId(trx, guild, clientId);
          return await directory.addChannel(trx, guildId, { platformId, name });
        });
        print(command, channelJson(channel), `Added the channel ${channel.name} (${channel.id}).`);
      }),
    );
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list channels')
    .option('--guild <guild>', 'list only the channels of this guild (platform id, GUID or name)')
    .action(({ guild }) =>
      withDirectory(command, async (directory, { read }) => {
        const guildId = guild === undefined ? null : await directory.guildId(read, guild, null);
        const channels = (await directory.channels(read, guildId)).map(channelJson);
        const rows = channels.map((channel) => [
          channel.id,
          channel.platformId,
          channel.name,
          stateOf(channel),
        ]);
        printList(command, { channels }, rows, 'There are no channels.');
      }),
    );
  return command;
}
