import { z } from 'zod';
import type { Foundation } from '../foundation.ts';
import { isoTime } from '../kernel/clock.ts';
import { clientNameField, mailboxField, originField, servicesField, telegramTokenField } from '../mail/client-fields.ts';
import { type Client, type ClientCredentials, type Clients, createClients, MAIL_SERVICES } from '../mail/clients.ts';
import { CommandError, createCommand, createGroup, print, withFoundation } from './command.ts';
import { flagValue, table } from './people.ts';

/** `posthouse mail-client …`: the applications that may send mail, Telegram messages and contact forms. */
export function mailClientCommand() {
  return createGroup('mail-client', 'applications that may send mail', [
    addCommand(),
    listCommand(),
    rotateCommand(),
    switchCommand('enable', 'let it send again', true),
    switchCommand('disable', 'refuse it from now on', false),
  ]);
}

function addCommand() {
  const command = createCommand('add', 'make a client; its secret is shown this once', undefined, ['services', 'telegram-token'])
    .requiredOption('--name <name>', 'what the application is called')
    .option('--services <list>', `which of ${MAIL_SERVICES.join(', ')} it may use`, MAIL_SERVICES.join(','))
    .option('--from <address>', 'what it sends mails from (default: POSTHOUSE_MAIL_FROM)')
    .option('--contact-to <addresses>', 'who receives its contact form, comma separated')
    .option('--telegram-token <token>', 'its own Telegram bot')
    .option('--origins <origins>', 'whose pages may call, comma separated')
    .action(async (options) => {
      const name = flagValue('name', clientNameField, options.name);
      const services = flagValue('services', servicesField, list(options.services));
      const sender = options.from === undefined ? null : flagValue('from', mailboxField, options.from);
      const contactTo = flagValue('contact-to', z.array(mailboxField), list(options.contactTo));
      const telegramToken =
        options.telegramToken === undefined ? null : flagValue('telegram-token', telegramTokenField, options.telegramToken);
      const origins = flagValue('origins', z.array(originField), list(options.origins));
      await withFoundation(command, async (foundation) => {
        const clients = createClients(foundation);
        if (await clients.findByName(name)) throw new CommandError(`There is a mail client called ${name}.`);
        const credentials = await foundation.database.transaction((trx) =>
          clients.add(
            trx,
            {
              name,
              services,
              sender,
              sendersAllowed: [],
              recipientsAllowed: [],
              contactTo,
              contactAcknowledges: false,
              challengeUrl: null,
              origins,
              limits: { second: null, hour: null, day: null },
              enabled: true,
            },
            { telegramToken },
          ),
        );
        printCredentials(command, credentials);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'show the clients, without their secrets').action(async () => {
    await withFoundation(command, async (foundation) => {
      const clients = (await createClients(foundation).list()).map((client) => ({
        ...client,
        dateCreated: isoTime(client.dateCreated),
      }));
      const rows = clients.map(({ id, name, services, enabled }) => [id, name, services.join(','), enabled ? '' : 'disabled']);
      print(command, { clients }, rows.length > 0 ? table(rows) : 'There is no mail client. “posthouse mail-client add” makes one.');
    });
  });
  return command;
}

function rotateCommand() {
  const command = createCommand('rotate', 'make a new secret; the one before stays valid until the next rotation')
    .requiredOption('--name <name>', 'its name or ClientId')
    .action(async ({ name }) => {
      await withFoundation(command, async (foundation) => {
        const { clients, client } = await named(foundation, name);
        printCredentials(command, await foundation.database.transaction((trx) => clients.rotate(trx, client.id)));
      });
    });
  return command;
}

function switchCommand(word: string, about: string, enabled: boolean) {
  const command = createCommand(word, about)
    .requiredOption('--name <name>', 'its name or ClientId')
    .action(async ({ name }) => {
      await withFoundation(command, async (foundation) => {
        const { clients, client } = await named(foundation, name);
        await foundation.database.transaction((trx) => clients.change(trx, client.id, { enabled }, {}));
        print(command, { ClientId: client.id, enabled }, `${client.name} is ${enabled ? 'enabled' : 'disabled'}.`);
      });
    });
  return command;
}

async function named(foundation: Foundation, nameOrId: string): Promise<{ clients: Clients; client: Client }> {
  const clients = createClients(foundation);
  const client = (await clients.findByName(nameOrId.trim())) ?? (await clients.find(nameOrId.trim().toLowerCase()));
  if (!client) throw new CommandError(`There is no mail client called ${nameOrId}. “posthouse mail-client list” shows those there are.`);
  return { clients, client };
}

function printCredentials(command: { getOptionValue(name: string): unknown }, { clientId, clientSecret }: ClientCredentials): void {
  print(
    command,
    { ClientId: clientId, ClientSecret: clientSecret },
    `ClientId      ${clientId}\nClientSecret  ${clientSecret}\nThis is the only time that the secret is shown.`,
  );
}

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
