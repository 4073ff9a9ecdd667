import { z } from '@hono/zod-openapi';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Ctx } from '../../kernel/http/context.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { Answer } from '../../kernel/outbox/acceptance.ts';
import type { OutboxMessage } from '../../kernel/outbox/message.ts';
import type { EmailPayload, RecipientState, TelegramPayload, TelegramResult } from '../payload.ts';
import { EMAIL_KIND } from '../transports/smtp.ts';

export const STATUSES = ['Sent', 'Queued', 'Scheduled', 'Failed', 'Unknown', 'Cancelled'] as const;
export type Status = (typeof STATUSES)[number];

export const recipientSchema = z
  .object({ Address: z.string(), Status: z.enum(STATUSES), Error: z.string().nullable() })
  .openapi('Recipient');

export const sendAnswerSchema = z
  .object({
    Id: z.string(),
    Status: z.enum(STATUSES),
    MessageId: z.string().nullable(),
    Recipients: z.array(recipientSchema),
    sandbox: z.literal(true).optional(),
  })
  .openapi('SendAnswer');

type SendAnswer = z.infer<typeof sendAnswerSchema>;

export function respond(c: Ctx, { status, body }: Answer): Response {
  return c.json(body as object, status as ContentfulStatusCode, { 'Cache-Control': 'no-store' });
}

/**
 * What the caller is told of a mail.
 * @param composed what was just stored; null = this was a repeat of another
 * @throws Problem 502 `platform_rejected` when every recipient was refused
 */
export function emailAnswer(
  id: string,
  composed: EmailPayload | null,
  parts: readonly OutboxMessage[],
  sandbox: boolean,
  sendAt: number | null,
): Answer {
  const [part] = parts;
  const recipients = part ? mailRecipients(part) : (composed?.recipients ?? []).map(toRecipient);
  if (part?.status === 'failed') {
    throw new Problem('platform_rejected', part.error ?? 'The mail server refused the mail.', {
      errors: recipients.map(({ Address, Error: message }) => ({ path: Address, message: message ?? 'refused' })),
    });
  }
  const status = part ? statusOf(part) : sendAt === null ? 'Queued' : 'Scheduled';
  const body: SendAnswer = {
    Id: id,
    Status: status,
    MessageId: (part ? (part.payload as EmailPayload) : composed)?.headerId ?? null,
    Recipients: recipients,
    ...(sandbox ? { sandbox: true } : {}),
  };
  return { status: status === 'Sent' ? 200 : 202, body };
}

/**
 * What the caller is told of a Telegram message.
 * @throws Problem 502 `platform_rejected` when every recipient was refused
 */
export function telegramAnswer(id: string, recipients: readonly string[], parts: readonly OutboxMessage[], sandbox: boolean): Answer {
  const states =
    parts.length > 0 ? recipientsOf(parts) : recipients.map((Address) => ({ Address, Status: 'Queued' as const, Error: null }));
  if (parts.length > 0 && states.every(({ Status }) => Status === 'Failed')) {
    throw new Problem('platform_rejected', states[0]?.Error ?? 'Telegram refused the message.', {
      errors: states.map(({ Address, Error: message }) => ({ path: Address, message: message ?? 'refused' })),
    });
  }
  const status = overallStatus(states.map(({ Status }) => Status));
  const body: SendAnswer = {
    Id: id,
    Status: status,
    MessageId: messageIdOf(parts),
    Recipients: states,
    ...(sandbox ? { sandbox: true } : {}),
  };
  return { status: status === 'Sent' ? 200 : 202, body };
}

/** The recipients of a message as they stand. */
export function recipientsOf(parts: readonly OutboxMessage[]): SendAnswer['Recipients'] {
  const [first] = parts;
  if (!first) return [];
  if (first.kind === EMAIL_KIND) return mailRecipients(first);
  const byRecipient = Map.groupBy(parts, (part) => (part.payload as TelegramPayload).recipient);
  return [...byRecipient].map(([Address, own]) => ({
    Address,
    Status: overallStatus(own.map(statusOf), 'worst'),
    Error: own.map(publicReason).find((reason) => reason !== null) ?? null,
  }));
}

/** Message-ID of a mail, or Telegram's id of the first message; null = not yet known. */
export function messageIdOf(parts: readonly OutboxMessage[]): string | null {
  const [first] = parts;
  if (!first) return null;
  if (first.kind === EMAIL_KIND) return (first.payload as EmailPayload).headerId;
  const sent = parts.find((part) => part.status === 'sent' && !part.sandbox);
  return sent ? String((sent.result as TelegramResult).messageId) : null;
}

/**
 * One word for several: what is still to come before what is over. Of that, what went through stands for recipients, of whom
 * some have it, and the worst for the parts of one text, which is whole or not.
 */
export function overallStatus(statuses: readonly Status[], of: 'best' | 'worst' = 'best'): Status {
  const over: Status[] = ['Sent', 'Unknown', 'Cancelled', 'Failed'];
  const order: Status[] = ['Queued', 'Scheduled', ...(of === 'best' ? over : over.reverse())];
  return order.find((status) => statuses.includes(status)) ?? 'Sent';
}

function mailRecipients(part: OutboxMessage): SendAnswer['Recipients'] {
  const final = (part.result as { recipients?: RecipientState[] } | null)?.recipients;
  const states = final ?? (part.payload as EmailPayload).recipients;
  const reason = publicReason(part);
  return states.map((state) => {
    const recipient = toRecipient(state);
    if (recipient.Status !== 'Queued') return recipient;
    const ended = part.status === 'queued' ? recipient.Status : statusOf(part);
    return { ...recipient, Status: ended, Error: recipient.Error ?? reason };
  });
}

export function statusOf(part: OutboxMessage): Status {
  switch (part.status) {
    case 'sent':
      return 'Sent';
    case 'failed':
      return 'Failed';
    case 'unknown':
      return 'Unknown';
    case 'cancelled':
      return 'Cancelled';
    case 'queued':
      return part.attempts === 0 && part.error === null && part.nextAttemptAt > part.dateCreated + 1000 ? 'Scheduled' : 'Queued';
  }
}

/** Why an attempt failed, for the client: the peer's words, but nothing of how our own network looks. */
export function publicReason(part: OutboxMessage): string | null {
  switch (part.errorCode) {
    case 'smtp_unreachable':
      return 'the mail server cannot be reached';
    case 'smtp_tls':
      return 'the mail server offers no trustworthy encryption';
    case 'smtp_sign_in':
      return 'the mail server does not let us sign in';
    case 'telegram_sign_in':
      return 'Telegram does not accept the bot token';
    case 'internal_error':
      return 'something went wrong here';
    default:
      return part.error;
  }
}

function toRecipient({ address, status, error }: RecipientState): SendAnswer['Recipients'][number] {
  return { Address: address, Status: status, Error: error };
}
