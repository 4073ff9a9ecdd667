import { z } from '@hono/zod-openapi';
import { invalidField } from '../../kernel/http/problem.ts';
import { telegramTokenField } from '../client-fields.ts';
import { oneOf } from '../fields.ts';
import type { TelegramContent } from '../payload.ts';
import { type Entity, type FormattedText, splitFormatted } from './markup.ts';
import { splitText } from './split-text.ts';
import { escapeTelegramHtml, parseTelegramHtml } from './telegram-html.ts';
import { escapeMarkdownV2, parseMarkdownV2 } from './telegram-markdown.ts';

/** https://core.telegram.org/bots/api#sendmessage: 1 to 4096 characters after entities parsing, counted in UTF-16 units. */
export const LONGEST_TEXT = 4096;
const MOST_RECIPIENTS = 100;
const MOST_MESSAGES = 500;
const PARSE_MODES = ['None', 'Html', 'MarkdownV2'] as const;

const chatId = z
  .union([z.string(), z.int()], { error: 'must be @channel, a channel id or a user id' })
  .transform((id) => String(id).trim())
  .refine((id) => /^(?:@[A-Za-z]\w{3,31}|-?[1-9]\d{0,18})$/.test(id), 'must be @channel, a channel id or a user id');

/** The body of `POST /requesttelegram` beyond the credentials. */
export const telegramRequestSchema = z
  .object({
    Recipients: z
      .union([chatId.transform((id) => [id]), z.array(chatId)], {
        error: 'must be @channel, a channel id or a user id, or an array of them',
      })
      .refine((list) => list.length > 0, 'must not be empty')
      .refine((list) => list.length <= MOST_RECIPIENTS, `must have ${MOST_RECIPIENTS} entries at most`),
    Message: z.string('is required and must be a text').refine((text) => text.trim() !== '', 'must not be empty'),
    Title: z.string().max(256, 'must have 256 characters at most').optional(),
    ParseMode: oneOf(PARSE_MODES).optional(),
    DisableNotification: z.boolean().optional(),
    DisableLinkPreview: z.boolean().optional(),
    BotToken: telegramTokenField.optional(),
  })
  .openapi('TelegramRequest');

export type TelegramRequest = z.infer<typeof telegramRequestSchema>;

/**
 * What is sent to each recipient, in order. A text that fits into one message goes with its markup as it was given, for the
 * platform to read; a longer one is read here, and cut where no markup is torn.
 * @throws Problem 400 that names `Message` when it is empty or far too long
 */
export function composeTelegram(request: TelegramRequest): TelegramContent[] {
  const mode = request.ParseMode ?? 'None';
  const title = request.Title?.trim() ?? '';
  const plain = title === '' ? request.Message : `${title}\n\n${request.Message}`;
  const source = mode === 'None' || title === '' ? plain : `${boldTitle(title, mode)}\n\n${request.Message}`;
  if (source.length <= LONGEST_TEXT && plain.length <= LONGEST_TEXT) {
    if (mode !== 'None') return [{ text: source, parseMode: mode === 'Html' ? 'HTML' : 'MarkdownV2', entities: [], plain }];
    return [{ text: plain, parseMode: null, entities: titleEntities(title), plain }];
  }
  const read = mode === 'Html' ? parseTelegramHtml(source) : mode === 'MarkdownV2' ? parseMarkdownV2(source) : null;
  const formatted: FormattedText = read ?? { text: plain, entities: titleEntities(title) };
  const pieces = splitFormatted(formatted, splitText(formatted.text, LONGEST_TEXT)).filter(({ text }) => text.trim() !== '');
  if (pieces.length === 0) throw invalidField('Message', 'must not be empty');
  if (pieces.length * request.Recipients.length > MOST_MESSAGES) {
    throw invalidField('Message', `would become more than ${MOST_MESSAGES} messages for all recipients`);
  }
  return pieces.map(({ text, entities }) => ({
    text,
    parseMode: null,
    entities,
    plain: text,
    ...(read === null && mode !== 'None' ? { markupRefused: true as const } : {}),
  }));
}

function boldTitle(title: string, mode: 'Html' | 'MarkdownV2'): string {
  return mode === 'Html' ? `<b>${escapeTelegramHtml(title)}</b>` : `*${escapeMarkdownV2(title)}*`;
}

function titleEntities(title: string): Entity[] {
  return title === '' ? [] : [{ type: 'bold', offset: 0, length: title.length }];
}
