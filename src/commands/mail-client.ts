import { z } from 'zod';
import { splitList } from '../config/parse.ts';
import { isoTime } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { LANGUAGES } from '../kernel/language.ts';
import { languageField, nameField } from '../kernel/shared-fields.ts';
import { CONTACT_COMBINED, combinesContact } from '../mail/clients/client-checks.ts';
import {
  clientDefaults,
  MAIL_SERVICES,
  mailboxField,
  originField,
  redirectUrlField,
  servicesField,
  telegramTokenField,
} from '../mail/clients/client-settings.ts';
import { type Client, type ClientCredentials, type Clients, createClients } from '../mail/clients/clients.ts';
import {
  CommandError,
  createCommand,
  createGroup,
  flagValue,
  type ParsedCommand,
  withFoundation,
} from './shared/cli.ts';
import { print, printList } from './shared/output.ts';
import { SECRET_HELP, secretInput } from './shared/secret-input.ts';

/** `posthouse mail-client …`: the applications that send mail, Telegram messages and contact forms. */
export function defineCommand(about: string) {
  return createGroup('mail-client', about, [
    addCommand(),
    listCommand(),
    rotateCommand(),
    switchCommand('enable', 'allow a client to send again', true),
    switchCommand('disable', 'refuse the requests of a client', false),
  ]);
}

function addCommand() {
  const ownFlags = ['services', 'telegram-token'];
  const about = 'create a client; its secret is shown only once';
  const command = createCommand('add', about, undefined, ownFlags)
    .requiredOption('--name <name>', 'name of the application')
    .requiredOption(
      '--services <list>',
      `the services it may use, comma separated: ${MAIL_SERVICES.join(', ')}`,
    )
    .option('--with-contact', 'allow contact, whose secret is public, together with another service')
    .option('--from <address>', 'sender of its e-mails (default: POSTHOUSE_MAIL_FROM)')
    .option('--contact-to <addresses>', 'recipients of its contact form, comma separated')
    .option(
      '--contact-language <language>',
      `language of the e-mails to these recipients: ${LANGUAGES.join(', ')}`,
      clientDefaults.contactLanguage,
    )
    .option('--telegram-token <token>', `token of its own Telegram bot ${SECRET_HELP}`)
    .option(
      '--origins <origins>',
      'origins of the pages that may use the client, comma separated (default: none)',
    )
    .option('--redirect-url <url>', 'page on one of these origins that opens after its contact form is sent')
    .action(async (options) => {
      const name = flagValue('name', nameField, options.name);
      const services = flagValue('services', servicesField, splitList(options.services ?? ''));
      const { withContact = false } = options;
      if (combinesContact(services) && !withContact)
        throw new CommandError(`--services ${CONTACT_COMBINED} --with-contact.`);
      const sender = flagValue('from', mailboxField.optional(), options.from) ?? null;
      const contactTo = flagValue('contact-to', z.array(mailboxField), splitList(options.contactTo ?? ''));
      const contactLanguage = flagValue('contact-language', languageField, options.contactLanguage);
      const telegramToken =
        options.telegramToken === undefined
          ? null
          : flagValue(
              'telegram-token',
              telegramTokenField,
              await secretInput('telegram-token', options.telegramToken),
            );
      const origins = flagValue('origins', z.array(originField), splitList(options.origins ?? ''));
      const redirectUrl = flagValue('redirect-url', redirectUrlField.optional(), options.redirectUrl) ?? null;
      await withClients(command, async (clients, database) => {
        if (await clients.findByName(name))
          throw new CommandError(`A mail client named “${name}” already exists.`, 'name_taken');
        const own = { name, services, withContact, sender, contactTo, contactLanguage, origins, redirectUrl };
        const credentials = await database.transaction((trx) =>
          clients.add(trx, { ...clientDefaults, ...own }, { telegramToken }),
        );
        printCredentials(command, credentials);
      });
    });
  return command;
}

function listCommand() {
  const command = createCommand('list', 'list all clients').action(() =>
    withClients(command, async (store) => {
      const clients = (await store.list()).map((client) => ({
        ...client,
        dateCreated: isoTime(client.dateCreated),
      }));
      const rows = clients.map(({ id, name, services, enabled }) => [
        id,
        name,
        services.join(','),
        enabled ? '' : 'disabled',
      ]);
      const empty = 'There are no mail clients. “posthouse mail-client add” creates one.';
      printList(command, { clients }, rows, empty);
    }),
  );
  return command;
}

function rotateCommand() {
  const about = 'create a new secret; the previous one stays valid until the next rotation';
  const command = createCommand('rotate', about)
    .requiredOption('--name <name>', 'name or ClientId of the client')
    .action(({ name }) =>
      withClients(command, async (clients, database) => {
        const { id } = await named(clients, name);
        printCredentials(command, await database.transaction((trx) => clients.rotate(trx, id)));
      }),
    );
  return command;
}

function switchCommand(word: string, about: string, enabled: boolean) {
  const command = createCommand(word, about)
    .requiredOption('--name <name>', 'name or ClientId of the client')
    .action((options) =>
      withClients(command, async (clients, database) => {
        const { id, name } = await named(clients, options.name);
        await database.transaction((trx) => clients.change(trx, id, { enabled }, {}));
        print(command, { ClientId: id, enabled }, `${name} is ${enabled ? 'enabled' : 'disabled'}.`);
      }),
    );
  return command;
}

function withClients(
  command: ParsedCommand,
  work: (clients: Clients, database: Database) => Promise<void>,
): Promise<void> {
  return withFoundation(command, (foundation) => work(createClients(foundation), foundation.database));
}

async function named(clients: Clients, nameOrId: string): Promise<Client> {
  const name = nameOrId.trim();
  const client = (await clients.findByName(name)) ?? (await clients.find(name.toLowerCase()));
  if (client) return client;
  const sentence = `There is no mail client named “${nameOrId}”.`;
  throw new CommandError(`${sentence} “posthouse mail-client list” lists the clients.`, 'not_found');
}

function printCredentials(command: Parameters<typeof print>[0], credentials: ClientCredentials): void {
  const { clientId: ClientId, clientSecret: ClientSecret } = credentials;
  const text = `ClientId      ${ClientId}\nClientSecret  ${ClientSecret}\nThe secret is shown only once.`;
  print(command, { ClientId, ClientSecret }, text);
}
