import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { deliveryHeaders, deliveryOptions } from '../../../kernel/http/delivery-headers.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../../kernel/http/no-store.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { mailboxField } from '../../clients/client-settings.ts';
import type { Client, Clients } from '../../clients/clients.ts';
import { serverClient } from '../../clients/server-client.ts';
import { chatId, telegramRequestSchema } from '../../compose/telegram/request.ts';
import { MAX_SOURCE_LENGTH, MAX_SUBJECT_LENGTH, optionalJsonObject } from '../../fields.ts';
import { sendResponses } from '../responses.ts';
import type { AdminDeps } from './deps.ts';
import { administration } from './shared.ts';

const headers = deliveryHeaders.pick({ Prefer: true });
const emailPath = '/api/admin/mail/test';
const testEmail = z.object({
  to: mailboxField,
  clientId: z.string().optional().openapi({
    description: 'Client whose sender and mail server are used; those of the server if omitted',
  }),
  templateName: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: 'Stored or bundled template to use instead of `subject` with `html` or `text`' }),
  data: optionalJsonObject,
  subject: z.string().max(MAX_SUBJECT_LENGTH).optional(),
  html: z.string().max(MAX_SOURCE_LENGTH).optional(),
  text: z.string().max(MAX_SOURCE_LENGTH).optional(),
});
const telegramPath = '/api/admin/mail/test-telegram';
const testTelegram = z.object({
  to: chatId.openapi({ description: '`@channel`, channel id or user id' }),
  message: telegramRequestSchema.shape.Message,
  clientId: z
    .string()
    .optional()
    .openapi({ description: 'Client whose bot is used; that of the server if omitted' }),
});

/** Test messages, to try templates, mail servers and bots. Each is tried once. */
export function mountTests(app: App, deps: AdminDeps): void {
  sendTestEmail(app, deps);
  sendTestTelegram(app, deps);
}

function sendTestEmail(app: App, deps: AdminDeps): void {
  const { clients, composeEmail, sendMails } = deps;
  endpoint(app, {
    ...administration(deps),
    method: 'post',
    path: emailPath,
    operation: 'sendTestEmail',
    summary: 'Send a test e-mail',
    headers,
    responses: sendResponses,
    body: json(testEmail),
    problems: ['invalid_template', 'platform_rejected'],
    async handler({ headers, body: { to, clientId, templateName, data, subject, html, text }, reply }) {
      const client = await findClient(clients, clientId);
      const mail = await composeEmail(client ?? serverClient, {
        To: [to],
        Subject: subject,
        TemplateName: templateName,
        HtmlTemplate: html,
        Body: text,
        TemplateData: data,
      });
      const result = await sendMails({
        route: emailPath,
        clientId: client?.id ?? null,
        delivery: deliveryOptions(headers),
        fingerprint: '',
        mails: [{ ...mail, payload: { ...mail.payload, once: true } }],
      });
      return reply(result.status, result.body, NO_STORE);
    },
  });
}

function sendTestTelegram(app: App, deps: AdminDeps): void {
  const { clients, sendTelegram } = deps;
  endpoint(app, {
    ...administration(deps),
    method: 'post',
    path: telegramPath,
    operation: 'sendTestTelegram',
    summary: 'Send a Telegram test message',
    headers,
    responses: sendResponses,
    body: json(testTelegram),
    problems: ['platform_rejected'],
    async handler({ headers, body: { to, message, clientId }, reply }) {
      const result = await sendTelegram({
        route: telegramPath,
        client: await findClient(clients, clientId),
        delivery: deliveryOptions(headers),
        fingerprint: '',
        request: { Recipients: [to], Message: message },
        once: true,
      });
      return reply(result.status, result.body, NO_STORE);
    },
  });
}

/** Returns null (the server itself) without an id. @throws Problem 400 for an unknown id */
async function findClient(clients: Clients, id: string | undefined): Promise<Client | null> {
  if (id === undefined) return null;
  const client = await clients.find(id);
  if (!client) throw invalidField('clientId', 'must be the id of a client');
  return client;
}
