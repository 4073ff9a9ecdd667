import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import type { PartState } from '../../kernel/outbox/message.ts';
import { notCancellable } from '../../kernel/outbox/message-status.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import { notFound } from '../../kernel/problem.ts';
import type { Client } from '../clients/clients.ts';
import type { Opens } from '../opens.ts';
import { EMAIL_KIND, type EmailPayload } from '../payload.ts';
import {
  mailRecipients,
  overallStatus,
  publicReason,
  STATUSES,
  statusOf,
  telegramMessageId,
  telegramRecipients,
} from '../sending/results.ts';
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

type Message = z.infer<typeof messageSchema>;

interface MessageRouteDeps {
  clientAuth: ClientAuth;
  outbox: Outbox;
  database: Database;
  opens: Opens;
}

/** `GET` and `DELETE /messages/{id}`: reads the state of a message, and cancels it. */
export function mountMailMessages(app: App, { clientAuth, outbox, database, opens }: MessageRouteDeps): void {
  async function partsOf(client: Client, id: string): Promise<PartState[]> {
    const parts = (await outbox.statesOf([id])).get(id) ?? [];
    if (parts.length === 0 || parts.some(({ clientId }) => clientId !== client.id)) throw notFound();
    return parts;
  }

  async function describe(client: Client, id: string, parts: readonly PartState[]): Promise<Message> {
    const isMail = parts[0]?.kind === EMAIL_KIND;
    const { isForm = false, ...details } = isMail ? await mailDetails(id) : telegramDetails(parts);
    const message = messageJson(parts, details);
    if (!isForm && !hasPublicCredentials(client)) return message;
    return { ...message, Recipients: [], LastError: message.LastError === null ? null : HIDDEN_REASON };
  }

  async function mailDetails(id: string): Promise<Details> {
    const first = await outbox.part(id, 0);
    if (!first) throw notFound();
    const { headerId, contentId, isForm } = first.payload as EmailPayload;
    const Opens = [...(await opens.list(contentId))];
    return { MessageId: headerId, Recipients: mailRecipients(first), Opens, isForm };
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
    async handler({ c, caller, params: { id }, reply }) {
      await c.env.giveWay();
      return reply(200, await describe(caller, id, await partsOf(caller, id)), NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'cancelMailMessage',
    summary: 'Cancel a message that is not yet sent',
    responses: { 200: { description: 'The cancelled message.', schema: messageSchema } },
    problems: ['not_cancellable'],
    async handler({ c, caller, params: { id }, reply }) {
      await c.env.giveWay();
      await partsOf(caller, id);
      const cancelled = await database.transaction((trx) => outbox.cancel(trx, id));
      const parts = await partsOf(caller, id);
      if (cancelled === 0 && !parts.some(({ status }) => status === 'cancelled')) throw notCancellable();
      return reply(200, await describe(caller, id, parts), NO_STORE);
    },
  });
}

/** The fields of a message that depend on its kind. */
interface Details extends Pick<Message, 'MessageId' | 'Recipients' | 'Opens'> {
  isForm?: true | undefined;
}

function telegramDetails(parts: readonly PartState[]): Details {
  return { MessageId: telegramMessageId(parts), Recipients: telegramRecipients(parts), Opens: [] };
}

function messageJson(
  parts: readonly PartState[],
  { MessageId, Recipients, Opens }: Omit<Details, 'isForm'>,
): Message {
  const [first] = parts;
  if (!first) throw notFound();
  const finished = parts.every(({ dateFinished }) => dateFinished !== null);
  const waiting = parts.filter(({ status }) => status === 'queued');
  const failing = parts.find(({ error }) => error !== null);
  return {
    Id: first.messageId,
    Status: overallStatus(parts.map(statusOf), 'worst'),
    MessageId,
    Attempts: Math.max(...parts.map(({ attempts }) => attempts)),
    LastError: failing ? publicReason(failing) : null,
    DateCreated: isoTime(first.dateCreated),
    DateFinished: finished ? isoTime(Math.max(...parts.map(({ dateFinished }) => dateFinished ?? 0))) : null,
    NextAttempt:
      waiting.length > 0 ? isoTime(Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))) : null,
    Recipients,
    Opens,
    ...(first.sandbox ? { sandbox: true as const } : {}),
  };
}
