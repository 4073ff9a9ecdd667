import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { MessageAbout, OutboxMessage } from '../../kernel/outbox/message.ts';
import { OUTBOX_STATUSES } from '../../kernel/tables.ts';
import type { MessageSummary } from '../history.ts';

/** Describes a message of any kind by its payload. */
export type Describe = (kind: string, payload: unknown) => MessageAbout;

export const messageStatuses = z.enum(OUTBOX_STATUSES);

export const messageSchema = z
  .object({
    id: z.uuid(),
    kind: z.string(),
    clientId: z.string().nullable(),
    status: messageStatuses,
    attempts: z.int(),
    parts: z.int(),
    title: z.string().describe('empty = none'),
    to: z.array(z.string()).describe('addresses, or ids of channels'),
    error: z.string().nullable(),
    errorCode: z.string().nullable(),
    sandbox: z.boolean(),
    nextAttemptAt: z.iso.datetime().nullable(),
    dateCreated: z.iso.datetime(),
    dateFinished: z.iso.datetime().nullable(),
  })
  .openapi('Message');

const partSchema = z.object({
  part: z.int(),
  status: messageStatuses,
  attempts: z.int(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  payload: z.unknown().openapi({ description: 'content that was sent, or is to be sent' }),
  result: z.unknown().openapi({ description: 'response of the peer' }),
});

export const detailedMessage = messageSchema
  .omit({ attempts: true, error: true, errorCode: true, nextAttemptAt: true, dateFinished: true })
  .extend({ parts: z.array(partSchema) });

export function messageRecord(
  { payload, nextAttemptAt, dateCreated, dateFinished, ...message }: MessageSummary,
  describe: Describe,
): z.input<typeof messageSchema> {
  return {
    ...message,
    ...describe(message.kind, payload),
    nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
    dateCreated: isoTime(dateCreated),
    dateFinished: dateFinished === null ? null : isoTime(dateFinished),
  };
}

export function partRecord(message: OutboxMessage): z.input<typeof partSchema> {
  const { part, status, attempts, error, errorCode, payload, result } = message;
  return { part, status, attempts, error, errorCode, payload, result };
}
