import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import { isoTime } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import {
  addressOrDomainField,
  clientNameField,
  limitField,
  mailboxField,
  originField,
  servicesField,
  smtpField,
  telegramTokenField,
} from '../../client-fields.ts';
import type { Client, Clients } from '../../clients.ts';
import { ADMIN, READS, WRITES } from './parts.ts';

const BASE = '/api/admin/mail/clients';

const settings = z.object({
  name: clientNameField,
  services: servicesField,
  sender: mailboxField.nullable(),
  sendersAllowed: z.array(addressOrDomainField).max(100),
  recipientsAllowed: z.array(addressOrDomainField).max(100),
  contactTo: z.array(mailboxField).max(20),
  contactAcknowledges: z.boolean(),
  challengeUrl: z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address')
    .nullable(),
  origins: z.array(originField).max(50),
  limits: z.object({ second: limitField, hour: limitField, day: limitField }),
  enabled: z.boolean(),
});
const secrets = z.object({
  telegramToken: telegramTokenField.nullable().optional(),
  smtp: smtpField.nullable().optional(),
  challengeSecret: z.string().min(1).max(500).nullable().optional(),
});
const clientChange = settings.partial().extend(secrets.shape);
const newClient = clientChange.extend({ name: clientNameField, services: servicesField });
const clientShown = settings
  .extend({
    id: z.uuid(),
    has: z.object({ telegramToken: z.boolean(), smtp: z.boolean(), challengeSecret: z.boolean() }),
    dateCreated: z.iso.datetime(),
  })
  .openapi('MailClient');
const credentials = z.object({ clientId: z.uuid(), clientSecret: z.string().openapi({ description: 'Shown this once' }) });

/** The applications that may send. */
export function mountClients(app: App, { database, clients, guard }: { database: Database; clients: Clients; guard: Guard }): void {
  endpoint(
    app,
    'get',
    BASE,
    {
      ...ADMIN,
      summary: 'All mail clients',
      answers: { 200: { description: 'By name, without their secrets.', schema: z.array(clientShown) } },
      problems: [...READS],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json((await clients.list()).map(shown));
    },
  );

  endpoint(
    app,
    'post',
    BASE,
    {
      ...ADMIN,
      summary: 'Make a mail client',
      body: { 'application/json': newClient },
      answers: { 201: { description: 'What the application signs in with.', schema: credentials } },
      problems: [...WRITES, 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { telegramToken, smtp, challengeSecret, ...wanted } = await readJson(c, newClient);
      const made = await database.transaction((trx) =>
        clients.add(trx, { ...DEFAULTS, ...wanted }, { telegramToken, smtp, challengeSecret }),
      );
      return c.json(made, 201, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'patch',
    `${BASE}/{id}`,
    {
      ...ADMIN,
      summary: 'Change a mail client',
      body: { 'application/json': clientChange },
      answers: { 200: { description: 'The client as it is now.', schema: clientShown } },
      problems: [...WRITES, 'not_found', 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { telegramToken, smtp, challengeSecret, ...wanted } = await readJson(c, clientChange);
      const client = await database.transaction((trx) => clients.change(trx, id, wanted, { telegramToken, smtp, challengeSecret }));
      return c.json(shown(client));
    },
  );

  endpoint(
    app,
    'post',
    `${BASE}/{id}/rotate`,
    {
      ...ADMIN,
      summary: 'Make a new secret; the newest of the earlier ones stays valid beside it',
      answers: { 200: { description: 'What the application signs in with from now on.', schema: credentials } },
      problems: [...READS, 'cross_site_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      return c.json(await database.transaction((trx) => clients.rotate(trx, id)), 200, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'delete',
    `${BASE}/{id}`,
    {
      ...ADMIN,
      summary: 'Delete a mail client',
      answers: { 204: { description: 'Gone. What it has sent stays visible.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      await database.transaction((trx) => clients.remove(trx, id));
      return c.body(null, 204);
    },
  );
}

/** What a client is unless its administrator says otherwise. */
export const DEFAULTS = {
  sender: null,
  sendersAllowed: [],
  recipientsAllowed: [],
  contactTo: [],
  contactAcknowledges: false,
  challengeUrl: null,
  origins: [],
  limits: { second: null, hour: null, day: null },
  enabled: true,
} satisfies Partial<Client>;

function shown({ dateCreated, ...client }: Client): z.infer<typeof clientShown> {
  return { ...client, dateCreated: isoTime(dateCreated) };
}
