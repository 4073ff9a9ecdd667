import { createDirectory } from '../chat/directory.ts';
import type { GuildRecord } from '../chat/records.ts';
import { isoTime } from '../kernel/clock.ts';
import { createCommand, createGroup, print, withFoundation } from './command.ts';
import { table } from './people.ts';

/** `posthouse chat-guild …`: the guilds (servers) in which a client sends. */
export function chatGuildCommand() {
  return createGroup('chat-guild', 'guilds of a chat client', [addCommand(), listCommand()]);
}

function addCommand() {
  const command = createCommand('add', 'let a client send in a guild')
    .requiredOption('--client <client>', 'name or GUID of the client')
    .requiredOption('--platform-id <id>', 'the guild’s id at the platform')
    .requiredOption('--name <name>', 'what people call it')
    .action(async ({ client, platformId, name }) => {
      await withFoundation(command, async ({ database, vault, clock }) => {
        const directory = createDirectory({ vault, clock });
        const guild = await database.transaction(async (trx) =>
          directory.addGuild(trx, await directory.clientId(trx, client), { platformId, name }),
        );
        print(command, facts(guild), `The guild ${guild.name} is ${guild.id}.`);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show guilds')
    .option('--client <client>', 'of this client only: its name or GUID')
    .action(async ({ client }) => {
      await withFoundation(command, async ({ database, vault, clock }) => {
        const directory = createDirectory({ vault, clock });
        const clientId = client === undefined ? null : await directory.clientId(database.read, client);
        const guilds = (await directory.guilds(database.read, clientId)).map(facts);
        const rows = guilds.map(({ id, platformId, name, enabled }) => [id, platformId, name, enabled ? '' : 'disabled']);
        print(command, { guilds }, rows.length > 0 ? table(rows) : 'There is no guild yet.');
      });
    });
  return command;
}

function facts({ dateCreated, ...guild }: GuildRecord) {
  return { ...guild, dateCreated: isoTime(dateCreated) };
}
