import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { notFound, Problem } from '../../kernel/http/problem.ts';
import type { OutboxMessage } from '../../kernel/outbox/message.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { Client } from '../clients.ts';
import type { Authenticate } from '../credentials.ts';
import type { Open, Opens } from '../opens.ts';
import type { EmailPayload } from '../payload.ts';
import { EMAIL_KIND } from '../transports/smtp.ts';
import { messageIdOf, overallStatus, publicReason, recipientSchema, recipientsOf, STATUSES, statusOf } from './answers.ts';
import { callerByBasic } from './callers.ts';

const openSchema = z.object({ Time: z.string(), Country: z.string().nullable(), Region: z.string().nullable(), Automatic: z.boolean() });

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
    Opens: z.array(openSchema).openapi({ description: 'When mails that asked for TrackOpens were opened, and where' }),
    sandbox: z.literal(true).optional(),
  })
  .openapi('MailMessage');

interface MessageRouteParts {
  authenticate: Authenticate;
  outbox: Outbox;
  database: Database;
  opens: Opens;
}

/** `GET` and `DELETE /messages/{id}`: what became of a message, and its cancelling. */
export function mountMessages(app: App, { authenticate, outbox, database, opens }: MessageRouteParts): void {
  async function partsOf(client: Client, id: string): Promise<OutboxMessage[]> {
    const parts = await outbox.parts(id);
    if (parts.length === 0 || parts.some(({ clientId }) => clientId !== client.id)) throw notFound();
    return parts;
  }

  async function shown(parts: readonly OutboxMessage[]): Promise<z.infer<typeof messageSchema>> {
    const [first] = parts;
    const isMail = first?.kind === EMAIL_KIND;
    return describe(parts, isMail ? await opens.list((first.payload as EmailPayload).contentId) : []);
  }

  endpoint(
    app,
    'get',
    '/messages/{id}',
    {
      summary: 'How it stands with a message',
      tags: ['mail'],
      security: ['basic'],
      answers: { 200: { description: 'Its state.', schema: messageSchema } },
      problems: ['bad_client', 'not_found', 'too_many_attempts'],
    },
    async (c) => {
      const client = await callerByBasic(c, authenticate);
      return c.json(await shown(await partsOf(client, pathId(c, 'id'))), 200, { 'Cache-Control': 'no-store' });
    },
  );

  endpoint(
    app,
    'delete',
    '/messages/{id}',
    {
      summary: 'Cancel what of a message is not yet sent',
      tags: ['mail'],
      security: ['basic'],
      answers: { 200: { description: 'Cancelled.', schema: messageSchema } },
      problems: ['bad_client', 'not_found', 'not_cancellable', 'too_many_attempts'],
    },
    async (c) => {
      const client = await callerByBasic(c, authenticate);
      const id = pathId(c, 'id');
      await partsOf(client, id);
      const cancelled = await database.transaction((trx) => outbox.cancel(trx, id));
      const parts = await partsOf(client, id);
      if (cancelled === 0 && !parts.some(({ status }) => status === 'cancelled')) {
        throw new Problem('not_cancellable', 'The message is sent, has failed, or is on its way just now.');
      }
      return c.json(await shown(parts), 200, { 'Cache-Control': 'no-store' });
    },
  );
}

function describe(parts: readonly OutboxMessage[], opened: readonly Open[]): z.infer<typeof messageSchema> {
  const [first] = parts;
  if (!first) throw notFound();
  const finished = parts.every(({ dateFinished }) => dateFinished !== null);
  const waiting = parts.filter(({ status }) => status === 'queued');
  const failing = parts.find(({ error }) => error !== null);
  return {
    Id: first.messageId,
    Status: overallStatus(parts.map(statusOf), 'worst'),
    MessageId: messageIdOf(parts),
    Attempts: Math.max(...parts.map(({ attempts }) => attempts)),
    LastError: failing ? publicReason(failing) : null,
    DateCreated: isoTime(first.dateCreated),
    DateFinished: finished ? isoTime(Math.max(...parts.map(({ dateFinished }) => dateFinished ?? 0))) : null,
    NextAttempt: waiting.length > 0 ? isoTime(Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))) : null,
    Recipients: recipientsOf(parts),
    Opens: [...opened],
    ...(first.sandbox ? { sandbox: true as const } : {}),
  };
}
