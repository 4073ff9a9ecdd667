import { z } from '@hono/zod-openapi';
import type { Guard } from '../../../identity/guard.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { type Accept, readDeliveryWishes } from '../../../kernel/outbox/acceptance.ts';
import { mailboxField } from '../../client-fields.ts';
import type { Client, Clients } from '../../clients.ts';
import type { ComposeEmail } from '../../compose/email.ts';
import type { Contents } from '../../contents.ts';
import { jsonObject } from '../../json-object.ts';
import { emailAnswer, respond, sendAnswerSchema } from '../answers.ts';
import { emailRow } from '../email.ts';
import { DEFAULTS } from './clients.ts';
import { ADMIN, clientToTry, WRITES } from './parts.ts';

const wanted = z.object({
  to: mailboxField,
  clientId: z.string().optional().openapi({ description: 'Whose sender and mail server are tried; left out = the server’s own' }),
  templateName: z
    .string()
    .max(64)
    .optional()
    .openapi({ description: 'A stored or bundled template; left out = `subject` with `html` or `text`' }),
  data: jsonObject.default({}),
  subject: z.string().max(998).optional(),
  html: z.string().max(500_000).optional(),
  text: z.string().max(500_000).optional(),
});

interface TestMailParts {
  accept: Accept;
  clients: Clients;
  composeEmail: ComposeEmail;
  contents: Contents;
  clock: Clock;
  /** The server has an SMTP server of its own. */
  configured: boolean;
  guard: Guard;
}

/** Who sends what no application sends. */
const NOBODY: Client = {
  ...DEFAULTS,
  id: '',
  name: 'Posthouse',
  services: ['email'],
  has: { telegramToken: false, smtp: false, challengeSecret: false },
  dateCreated: 0,
};

/** Sends a mail from the admin pages, to try a template or the mail server. */
export function mountTestMail(app: App, { accept, clients, composeEmail, contents, clock, configured, guard }: TestMailParts): void {
  endpoint(
    app,
    'post',
    '/api/admin/mail/test',
    {
      ...ADMIN,
      summary: 'Send a mail to try a template or the mail server',
      body: { 'application/json': wanted },
      answers: {
        200: { description: 'The mail server took it.', schema: sendAnswerSchema },
        202: { description: 'It is stored, and will be sent.', schema: sendAnswerSchema },
      },
      problems: [...WRITES, 'invalid_template', 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const { to, clientId, templateName, data, subject, html, text } = await readJson(c, wanted);
      const client = await clientToTry(clients, clientId);
      const mail = await composeEmail(client ?? NOBODY, {
        To: [to],
        Subject: subject,
        TemplateName: templateName,
        HtmlTemplate: html,
        Body: text,
        TemplateData: data,
      });
      const sandbox = mail.payload.server.kind === 'default' && !configured;
      const answer = await accept({
        route: '/api/admin/mail/test',
        clientId: client?.id ?? NOBODY.id,
        delivery: { ...readDeliveryWishes(c), idempotencyKey: null },
        fingerprint: '',
        compose: (messageId) => [{ ...emailRow(mail, client ?? NOBODY, messageId, sandbox), clientId: client?.id ?? null }],
        store: (trx) => contents.add(trx, mail.rowId, mail.mime, clock.now()),
        answer: (messageId, parts) => emailAnswer(messageId, mail.payload, parts, sandbox, null),
      });
      return respond(c, answer);
    },
  );
}
