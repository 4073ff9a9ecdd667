import { z } from '@hono/zod-openapi';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Ctx } from '../../kernel/http/context.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { Answer } from '../../kernel/outbox/acceptance.ts';
import type { OutboxMessage } from '../../kernel/outbox/message.ts';
import type { EmailPayload, RecipientState } from '../payload.ts';

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
  const recipients = part ? recipientsOf(part) : (composed?.recipients ?? []).map(toRecipient);
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

/** The recipients of a mail as they stand. */
export function recipientsOf(part: OutboxMessage): SendAnswer['Recipients'] {
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
    case 'internal_error':
      return 'something went wrong here';
    default:
      return part.error;
  }
}

function toRecipient({ address, status, error }: RecipientState): SendAnswer['Recipients'][number] {
  return { Address: address, Status: status, Error: error };
}
