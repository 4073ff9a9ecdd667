import { createDirectory } from '../chat/directory.ts';
import type { ChannelRecord } from '../chat/records.ts';
import { isoTime } from '../kernel/clock.ts';
import { createCommand, createGroup, print, withFoundation } from './command.ts';
import { table } from './people.ts';

/** `posthouse chat-channel …`: the channels of a guild into which its client sends. */
export function chatChannelCommand() {
  return createGroup('chat-channel', 'channels of a chat guild', [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'let the client of a guild send into a channel')
    .requiredOption('--guild <guild>', 'platform id, GUID or name of the guild')
    .requiredOption('--platform-id <id>', 'the channel’s id at the platform')
    .requiredOption('--name <name>', 'what people call it')
    .option('--client <client>', 'name or GUID of the client, where several have the guild')
    .action(async ({ guild, platformId, name, client }) => {
      await withFoundation(command, async ({ database, vault, clock }) => {
        const directory = createDirectory({ vault, clock });
        const channel = await database.transaction(async (trx) => {
          const clientId = client === undefined ? null : await directory.clientId(trx, client);
          return await directory.addChannel(trx, await directory.guildId(trx, guild, clientId), { platformId, name });
        });
        print(command, facts(channel), `The channel ${channel.name} is ${channel.id}.`);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show channels')
    .option('--guild <guild>', 'of this guild only: its platform id, GUID or name')
    .action(async ({ guild }) => {
      await withFoundation(command, async ({ database, vault, clock }) => {
        const directory = createDirectory({ vault, clock });
        const guildId = guild === undefined ? null : await directory.guildId(database.read, guild, null);
        const channels = (await directory.channels(database.read, guildId)).map(facts);
        const rows = channels.map(({ id, platformId, name, enabled, paused }) => [
          id,
          platformId,
          name,
          enabled ? (paused ? `paused: ${paused.reason}` : '') : 'disabled',
        ]);
        print(command, { channels }, rows.length > 0 ? table(rows) : 'There is no channel yet.');
      });
    });
  return command;
}

function facts({ pause, dateCreated, ...channel }: ChannelRecord) {
  return {
    ...channel,
    paused: pause === null ? null : { since: isoTime(pause.since), reason: pause.reason },
    dateCreated: isoTime(dateCreated),
  };
}
