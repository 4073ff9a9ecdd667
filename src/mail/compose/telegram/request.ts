import { z } from '@hono/zod-openapi';
import { telegramTokenField } from '../../clients/client-settings.ts';
import { oneOf } from '../../fields.ts';

const MAX_RECIPIENTS = 100;
const PARSE_MODES = ['None', 'Html', 'MarkdownV2'] as const;

/** `@channel`, a channel id or a user id. */
export const chatId = z
  .union([z.string(), z.int()], { error: 'must be @channel, a channel id or a user id' })
  .transform((id) => String(id).trim())
  .refine(
    (id) => /^(?:@[A-Za-z]\w{3,31}|-?[1-9]\d{0,18})$/.test(id),
    'must be @channel, a channel id or a user id',
  );

/** The body of `POST /requesttelegram` beyond the credentials. */
export const telegramRequestSchema = z
  .object({
    Recipients: z
      .union([chatId.transform((id) => [id]), z.array(chatId)], {
        error: ({ input }) =>
          input === undefined
            ? 'is required'
            : 'must be @channel, a channel id or a user id, or an array of them',
      })
      .refine((list) => list.length > 0, 'must not be empty')
      .refine((list) => list.length <= MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} entries`),
    Message: z.string().refine((text) => text.trim() !== '', 'must not be empty'),
    Title: z.string().max(256, 'must have at most 256 characters').optional(),
    ParseMode: oneOf(PARSE_MODES).optional(),
    DisableNotification: z.boolean().optional(),
    DisableLinkPreview: z.boolean().optional(),
    BotToken: telegramTokenField.optional(),
  })
  .openapi('TelegramRequest');

export type TelegramRequest = z.infer<typeof telegramRequestSchema>;
