import { invalidField } from '../../../kernel/problem.ts';
import type { TelegramContent } from '../../payload.ts';
import { escapeTelegramHtml, parseTelegramHtml } from './html.ts';
import { escapeMarkdownV2, parseMarkdownV2 } from './markdown.ts';
import { type Entity, type FormattedText, splitFormatted } from './markup.ts';
import type { TelegramRequest } from './request.ts';
import { splitPlainText } from './split-text.ts';

/** https://core.telegram.org/bots/api#sendmessage, in UTF-16 units after the markup is parsed. */
const MAX_TEXT_LENGTH = 4096;
const MAX_MESSAGES = 500;

/**
 * Returns the messages to each recipient, in order. Telegram parses the markup of a text that fits into one message; a
 * longer text is parsed here, and each segment gets its part of the formatting.
 * @throws Problem 400 that names `Message` when it is empty or much too long
 */
export function composeTelegram(request: TelegramRequest): TelegramContent[] {
  const { mode, title, plain, source } = textsOf(request);
  if (source.length <= MAX_TEXT_LENGTH && plain.length <= MAX_TEXT_LENGTH)
    return mode === 'None'
      ? [{ text: plain, parseMode: null, entities: titleEntities(title), plain }]
      : [{ text: source, parseMode: PARSERS[mode].parseMode, entities: [], plain }];
  const parsed = mode === 'None' ? null : PARSERS[mode].parse(source);
  const refused = mode !== 'None' && parsed === null ? { markupRefused: true as const } : {};
  const texts = split(parsed ?? { text: plain, entities: titleEntities(title) }, request.Recipients.length);
  return texts.map(({ text, entities }) => ({ text, parseMode: null, entities, plain: text, ...refused }));
}

/** @property plain the whole text without added markup @property source the whole text with a bold title */
function textsOf({ ParseMode: mode = 'None', Title = '', Message }: TelegramRequest) {
  const title = Title.trim();
  const plain = title === '' ? Message : `${title}\n\n${Message}`;
  const source = mode === 'None' || title === '' ? plain : `${boldTitle(title, mode)}\n\n${Message}`;
  return { mode, title, plain, source };
}

const PARSERS = {
  Html: { parseMode: 'HTML', parse: parseTelegramHtml },
  MarkdownV2: { parseMode: 'MarkdownV2', parse: parseMarkdownV2 },
} as const;

/** Reports whether composing is cheap: there is no long markup to parse. */
export function isCheapTelegram({ ParseMode = 'None', Title = '', Message }: TelegramRequest): boolean {
  return ParseMode === 'None' || Title.length + Message.length <= MAX_TEXT_LENGTH;
}

/** @throws Problem 400 that names `Message` */
function split(formatted: FormattedText, recipients: number): FormattedText[] {
  const pieces = splitPlainText(formatted.text, MAX_TEXT_LENGTH);
  const full = pieces.filter((text) => text.trim() !== '').length;
  if (full === 0) throw invalidField('Message', 'must not be empty');
  if (full * recipients > MAX_MESSAGES)
    throw invalidField(
      'Message',
      `would be split into more than ${MAX_MESSAGES} messages for all recipients`,
    );
  return splitFormatted(formatted, pieces).filter(({ text }) => text.trim() !== '');
}

function boldTitle(title: string, mode: 'Html' | 'MarkdownV2'): string {
  return mode === 'Html' ? `<b>${escapeTelegramHtml(title)}</b>` : `*${escapeMarkdownV2(title)}*`;
}

function titleEntities(title: string): Entity[] {
  return title === '' ? [] : [{ type: 'bold', offset: 0, length: title.length }];
}
