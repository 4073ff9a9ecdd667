import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import type { OutboxMessage } from '../../kernel/outbox/message.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { Client } from '../clients/clients.ts';
import type { Open, Opens } from '../opens.ts';
import type { EmailPayload } from '../payload.ts';
import {
  messageIdOf,
  overallStatus,
  publicReason,
  recipientsOf,
  STATUSES,
  statusOf,
} from '../sending/results.ts';
import { EMAIL_KIND } from '../transports/smtp.ts';
import type { ClientAuth } from './client-auth.ts';
import { HIDDEN_REASON, hasPublicCredentials, recipientSchema } from './responses.ts';

const openSchema = z.object({
  Time: z.string(),
  Country: z.string().nullable(),
  Region: z.string().nullable(),
  Automatic: z.boolean(),
});

const messageSchema = z
  .object({
    Id: z.string(),
    Status: z.enum(STATUSES),
    MessageId: z.string().nullable(),
    Attempts: z.int(),
    LastError: z.string().nullable(),
    DateCreated: z.string(),
    DateFinished: z.string().nullable(),
    NextAttempt: z.string().nullable(),
    Recipients: z.array(recipientSchema),
    Opens: z
      .array(openSchema)
      .openapi({ description: 'Times and places at which an e-mail with TrackOpens was opened' }),
    sandbox: z.literal(true).optional(),
  })
  .openapi('MailMessage');

interface MessageRouteDeps {
  clientAuth: ClientAuth;
  outbox: Outbox;
  database: Database;
  opens: Opens;
}

/** `GET` and `DELETE /messages/{id}`: reads the state of a message, and cancels it. */
export function mountMailMessages(app: App, { clientAuth, outbox, database, opens }: MessageRouteDeps): void {
  async function rowsOf(client: Client, id: string): Promise<OutboxMessage[]> {
    const rows = await outbox.parts(id);
    if (rows.length === 0 || rows.some(({ clientId }) => clientId !== client.id)) throw notFound();
    return rows;
  }

  async function describe(
    client: Client,
    rows: readonly OutboxMessage[],
  ): Promise<z.infer<typeof messageSchema>> {
    const [first] = rows;
    const mail = first?.kind === EMAIL_KIND ? (first.payload as EmailPayload) : null;
    const message = messageJson(rows, mail ? await opens.list(mail.contentId) : []);
    if (!mail?.isForm && !hasPublicCredentials(client)) return message;
    return { ...message, Recipients: [], LastError: message.LastError === null ? null : HIDDEN_REASON };
  }

  const shared = {
    path: '/messages/{id}',
    tags: ['mail'],
    auth: clientAuth.basic,
    params: { id: guid },
  } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'getMailMessage',
    summary: 'Get the delivery state of a message',
    responses: { 200: { description: 'The message.', schema: messageSchema } },
    async handler({ caller, params: { id }, reply }) {
      return reply(200, await describe(caller, await rowsOf(caller, id)), NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'cancelMailMessage',
    summary: 'Cancel a message that is not yet sent',
    responses: { 200: { description: 'The cancelled message.', schema: messageSchema } },
    problems: ['not_cancellable'],
    async handler({ caller, params: { id }, reply }) {
      await rowsOf(caller, id);
      const cancelled = await database.transaction((trx) => outbox.cancel(trx, id));
      const rows = await rowsOf(caller, id);
      if (cancelled === 0 && !rows.some(({ status }) => status === 'cancelled'))
        throw new Problem(
          'not_cancellable',
          'The message is being delivered, or has reached its final status.',
        );
      return reply(200, await describe(caller, rows), NO_STORE);
    },
  });
}

function messageJson(rows: readonly OutboxMessage[], opened: readonly Open[]): z.infer<typeof messageSchema> {
  const [first] = rows;
  if (!first) throw notFound();
  const finished = rows.every(({ dateFinished }) => dateFinished !== null);
  const waiting = rows.filter(({ status }) => status === 'queued');
  const failing = rows.find(({ error }) => error !== null);
  return {
    Id: first.messageId,
    Status: overallStatus(rows.map(statusOf), 'worst'),
    MessageId: messageIdOf(rows),
    Attempts: Math.max(...rows.map(({ attempts }) => attempts)),
    LastError: failing ? publicReason(failing) : null,
    DateCreated: isoTime(first.dateCreated),
    DateFinished: finished ? isoTime(Math.max(...rows.map(({ dateFinished }) => dateFinished ?? 0))) : null,
    NextAttempt:
      waiting.length > 0 ? isoTime(Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))) : null,
    Recipients: recipientsOf(rows),
    Opens: [...opened],
    ...(first.sandbox ? { sandbox: true as const } : {}),
  };
}
