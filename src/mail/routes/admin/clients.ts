import { z } from '@hono/zod-openapi';
import { isoTime } from '../../../kernel/clock.ts';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../../kernel/http/no-store.ts';
import { clientChange, clientDefaults, newClient, settingsSchema } from '../../clients/client-settings.ts';
import type { Client } from '../../clients/clients.ts';
import type { AdminDeps } from './deps.ts';
import { administration, ofRecord } from './shared.ts';

const clientSchema = settingsSchema
  .extend({
    id: z.uuid(),
    has: z.object({ telegramToken: z.boolean(), smtp: z.boolean(), challengeSecret: z.boolean() }),
    dateCreated: z.iso.datetime(),
  })
  .openapi('MailClient');
const credentialsSchema = z.object({
  clientId: z.uuid(),
  clientSecret: z.string().openapi({ description: 'Returned only once' }),
});

const checkedFields = {
  tokenChecked: z.boolean().optional().openapi({
    description:
      'Whether Telegram accepted the new token; false when it did not respond. Absent without a new one',
  }),
};

const all = '/api/admin/mail/clients';
const one = '/api/admin/mail/clients/{id}';

/** Clients: the applications that send. */
export function mountClients(app: App, deps: AdminDeps): void {
  mountAll(app, deps);
  mountOne(app, deps);
}

function mountAll(app: App, deps: AdminDeps): void {
  const { database, clients, checkTelegramToken } = deps;
  const shared = { ...administration(deps), path: all } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'listMailClients',
    summary: 'List the mail clients',
    responses: { 200: { description: 'Ordered by name, without secrets.', schema: z.array(clientSchema) } },
    async handler({ c }) {
      await c.env.giveWay();
      return (await clients.list()).map(clientJson);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'createMailClient',
    summary: 'Create a mail client',
    body: json(newClient),
    responses: {
      201: {
        description: 'The credentials of the application.',
        schema: credentialsSchema.extend(checkedFields),
      },
    },
    problems: ['name_taken'],
    async handler({ body: { telegramToken, smtp, challengeSecret, ...settings }, reply }) {
      const checked = await checkTelegramToken(telegramToken);
      const secrets = { telegramToken, smtp, challengeSecret };
      const credentials = await database.transaction((trx) =>
        clients.add(trx, { ...clientDefaults, ...settings }, secrets),
      );
      return reply(201, { ...credentials, ...checked }, NO_STORE);
    },
  });
}

function mountOne(app: App, deps: AdminDeps): void {
  const { database, clients, checkTelegramToken } = deps;
  const shared = ofRecord(deps);

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: one,
    operation: 'updateMailClient',
    summary: 'Change a mail client',
    body: json(clientChange),
    responses: { 200: { description: 'The changed client.', schema: clientSchema.extend(checkedFields) } },
    problems: ['name_taken'],
    async handler({ params: { id }, body: { telegramToken, smtp, challengeSecret, ...settings } }) {
      const checked = await checkTelegramToken(telegramToken);
      const secrets = { telegramToken, smtp, challengeSecret };
      const client = await database.transaction((trx) => clients.change(trx, id, settings, secrets));
      return { ...clientJson(client), ...checked };
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path: `${one}/rotate`,
    operation: 'rotateMailClientSecret',
    summary: 'Create a new secret for a mail client; the previous one stays valid',
    responses: { 200: { description: 'The new credentials of the application.', schema: credentialsSchema } },
    handler: async ({ params: { id }, reply }) =>
      reply(200, await database.transaction((trx) => clients.rotate(trx, id)), NO_STORE),
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: one,
    operation: 'deleteMailClient',
    summary: 'Delete a mail client',
    responses: { 204: { description: 'Deleted. Its sent messages remain visible.' } },
    handler: ({ params: { id } }) => database.transaction((trx) => clients.remove(trx, id)),
  });
}

function clientJson({ dateCreated, ...client }: Client): z.infer<typeof clientSchema> {
  return { ...client, dateCreated: isoTime(dateCreated) };
}
