import { z } from '@hono/zod-openapi';
import { deliveryHeaders } from '../../kernel/http/delivery-headers.ts';
import { OUTBOX_STATUSES } from '../../kernel/tables.ts';
import { LEVELS, LIMITS } from '../compose/compose.ts';
import { OBSTACLES } from '../platform/obstacles.ts';

const MAX_REFERENCE_LENGTH = 200;
const MAX_URL_LENGTH = 2048;
const MAX_KEY_LENGTH = 255;

const isBlank = (text: string) => text.trim() === '';
const filled = z.string().refine((text) => !isBlank(text), 'must not be empty');
/** An unpaired surrogate would become U+FFFD, and the URL another one. */
const isWebUrl = (text: string) => text.isWellFormed() && /^https?:$/.test(URL.parse(text)?.protocol ?? '');
const reference = (description: string) =>
  filled
    .max(MAX_REFERENCE_LENGTH)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression refuses them
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters')
    .openapi({ description });

export const targetBody = z.object({
  clientId: reference('Name or GUID of a chat client'),
  guildId: reference('Id of the guild on the platform, or its GUID here'),
  channelId: reference('Id of the channel on the platform, or its GUID here'),
});

export const chatSendBody = targetBody.extend({
  title: z.string().default(''),
  message: filled.openapi({ description: 'Markdown of the platform. Long text is sent as numbered posts.' }),
  level: z.enum(LEVELS).optional(),
  url: z
    .string()
    .max(MAX_URL_LENGTH)
    .refine(isWebUrl, 'must be an http or https URL')
    // The message has the normalized URL. The field keeps the text, of which idempotency keys have a fingerprint.
    .refine(
      (text) => (URL.parse(text)?.href.length ?? 0) <= MAX_URL_LENGTH,
      `must have at most ${MAX_URL_LENGTH} characters after percent-encoding`,
    )
    .optional()
    .openapi({ description: 'Target of the link on the title' }),
  fields: z
    .array(
      z.object({
        name: filled.max(LIMITS.fieldName),
        value: filled.max(LIMITS.fieldValue),
        inline: z.boolean().optional(),
      }),
    )
    .max(LIMITS.fields)
    .optional(),
  dedupeKey: filled
    .max(MAX_KEY_LENGTH)
    .optional()
    .openapi({ description: 'Messages with the same key within a minute count as one' }),
});

const waiting = {
  reason: z
    .string()
    .optional()
    .openapi({ description: 'Why the message waits after an attempt: a `reason` of canSendMessage' }),
  detail: z.string().optional().openapi({ description: 'Response of the platform' }),
};
const status = z.enum(OUTBOX_STATUSES);

const sendAnswerSchema = z
  .object({
    id: z.uuid(),
    status,
    platformMessageId: z.string().nullable().optional(),
    url: z.string().nullable().optional(),
    folded: z
      .int()
      .optional()
      .openapi({ description: 'Number of equal messages, when this one was folded into an earlier one' }),
    ...waiting,
    sandbox: z.literal(true).optional(),
  })
  .openapi('ChatAnswer');

/** The responses of the endpoints that send. @param sent description of the 200 */
export function sendResponses(sent: string) {
  return {
    200: { description: sent, schema: sendAnswerSchema },
    202: { description: 'Stored. The server sends it as soon as possible.', schema: sendAnswerSchema },
  } as const;
}

export const reachSchema = z
  .object({ canSend: z.boolean(), reason: z.enum(OBSTACLES).nullable(), detail: z.string() })
  .openapi('ChatReachability');

export const chatMessageSchema = z
  .object({
    id: z.uuid(),
    status,
    attempts: z.int(),
    dateCreated: z.iso.datetime(),
    ...waiting,
    sandbox: z.literal(true).optional(),
  })
  .openapi('ChatStatus');

const relayKeyHeader = z
  .string()
  .optional()
  .openapi({ description: 'Required when the client has a relay key' });
export const checkHeaders = z.object({ 'X-Relay-Key': relayKeyHeader });
export const sendHeaders = deliveryHeaders.extend(checkHeaders.shape);
