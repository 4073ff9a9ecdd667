import { z } from '@hono/zod-openapi';
import { LEVELS, LIMITS } from '../compose.ts';
import { OBSTACLES } from '../reach.ts';

const LONGEST_REFERENCE = 200;
const LONGEST_URL = 2048;
const LONGEST_KEY = 255;

const isBlank = (text: string) => text.trim() === '';
const filled = z.string().refine((text) => !isBlank(text), 'must not be empty');
const reference = (what: string) =>
  filled
    .max(LONGEST_REFERENCE)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must hold no control characters')
    .openapi({ description: what });

export const targetBody = z.object({
  clientId: reference('A client’s name or GUID'),
  guildId: reference('The guild’s id at the platform, or our GUID of it'),
  channelId: reference('The channel’s id at the platform, or our GUID of it'),
});

export const sendBody = targetBody.extend({
  title: z.string().default(''),
  message: filled.openapi({ description: 'Markdown of the platform. Long text is sent in numbered parts.' }),
  level: z.enum(LEVELS).optional(),
  url: z
    .string()
    .max(LONGEST_URL)
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https address')
    .optional()
    .openapi({ description: 'Where the title links to' }),
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
  dedupeKey: filled.max(LONGEST_KEY).optional().openapi({ description: 'Messages with the same key are repeats of each other' }),
});

const statuses = z.enum(['queued', 'sent', 'failed', 'unknown', 'cancelled']);

export const sendAnswer = z
  .object({
    id: z.uuid(),
    status: statuses,
    platformMessageId: z.string().nullable().optional(),
    url: z.string().nullable().optional(),
    folded: z.int().optional().openapi({ description: 'How often the message came, when it folded into an earlier one' }),
    sandbox: z.literal(true).optional(),
  })
  .openapi('ChatAnswer');

export const reachAnswer = z
  .object({ canSend: z.boolean(), reason: z.enum(OBSTACLES).nullable(), detail: z.string() })
  .openapi('ChatReachability');

export const statusAnswer = z
  .object({ id: z.uuid(), status: statuses, attempts: z.int(), dateCreated: z.iso.datetime(), sandbox: z.literal(true).optional() })
  .openapi('ChatStatus');

export const callerHeaders = z.object({
  'Idempotency-Key': z.string().optional().openapi({ description: 'A repeat within 24 hours gets the first answer' }),
  Prefer: z.string().optional().openapi({ description: '`respond-async`: the answer comes as soon as the message is stored' }),
  'X-Relay-Key': z.string().optional().openapi({ description: 'Where the client asks for one' }),
});
