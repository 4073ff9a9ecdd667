import type { APIEmbed, APIEmbedField, RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10';
import { isoTime } from '../../kernel/clock.ts';
import { createTimeSlices } from '../../kernel/event-loop/time-slices.ts';
import { splitInSlices, splitText } from './split.ts';

export const LEVELS = ['info', 'success', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

const COLOURS: Record<Level, number> = {
  info: 0x3498db,
  success: 0x2ecc71,
  warning: 0xf1c40f,
  error: 0xe74c3c,
};

/**
 * https://discord.com/developers/docs/resources/message#embed-object-embed-limits. The platform counts code points
 * (https://github.com/discord/discord-api-docs/issues/1315); the UTF-16 units that are counted here are at least as
 * many.
 */
export const LIMITS = {
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  /** Limit of all texts of a message together. */
  total: 6000,
} as const;

export interface ChatMessage {
  /** Empty = none. */
  title: string;
  message: string;
  level?: Level;
  /** Target of the title's link: any text that is parsed as a URL. */
  url?: string;
  /** At most `LIMITS.fields`, each within its limits. */
  fields?: readonly APIEmbedField[];
}

/** The body of a post without its nonce. */
export type Post = RESTPostAPIChannelMessageJSONBody & { embeds: APIEmbed[] };

/**
 * Returns the posts of `message` in order: one if it fits, else several with their numbers in the footers. A title
 * over its limit continues at the beginning of the text; fields that do not fit follow in separate posts.
 * @param now ms since the epoch, shown as the time of the message
 */
export async function compose(
  message: ChatMessage,
  now: number,
  giveWay = createTimeSlices(),
): Promise<Post[]> {
  const { title, text } = fitTitle(message);
  const pieces = await splitInSlices(text, LIMITS.description, giveWay);
  const embeds: APIEmbed[] = pieces.map((piece) => ({
    description: `${piece.prefix}${piece.text}${piece.suffix}`,
  }));
  const [first = { description: text }] = embeds;
  if (title) first.title = title;
  if (message.url !== undefined) {
    // The parser repairs texts that the platform would refuse or show as they are, with line breaks and spaces.
    const { href, host } = new URL(message.url);
    first.url = href;
    // Only a title can be a link.
    first.title ??= href.length <= LIMITS.title ? href : host.slice(0, LIMITS.title);
  }
  placeFields(embeds, message.fields ?? []);
  return embeds.map((embed, index) => {
    if (message.level) embed.color = COLOURS[message.level];
    if (embeds.length > 1) embed.footer = { text: `${index + 1}/${embeds.length}` };
    embed.timestamp = isoTime(now);
    return { embeds: [embed], allowed_mentions: { parse: [] } };
  });
}

/** Returns `post` with the count of its repeats: at the end of the text, else in the footer, else outside the embed. */
export function withCount(post: Post, count: number): Post {
  const mark = `×${count}`;
  const embeds = structuredClone(post.embeds);
  const last = embeds.at(-1);
  if (!last) return post;
  const description = last.description ?? '';
  const marked = `${description}${description.endsWith('```') ? '\n' : ' '}${mark}`;
  const room = LIMITS.total - sizeOf(last);
  if (description && marked.length <= LIMITS.description && marked.length - description.length <= room)
    last.description = marked;
  else if (mark.length + 1 <= room)
    last.footer = { text: last.footer ? `${last.footer.text} ${mark}` : mark };
  else return { ...post, content: mark };
  return { ...post, embeds };
}

function fitTitle({ title, message }: ChatMessage): { title: string; text: string } {
  const whole = title.trim();
  if (whole.length <= LIMITS.title) return { title: whole, text: message };
  // Two pieces are enough to find where the first one ends.
  const [first = { text: '' }] = splitText(whole.slice(0, 2 * LIMITS.title), LIMITS.title - 1);
  return { title: `${first.text}…`, text: `…${whole.slice(first.text.length)}\n\n${message}` };
}

/** Room for a footer such as 123/456 and a count of repeats. */
const FOOTER_ROOM = 20;

function placeFields(embeds: APIEmbed[], fields: readonly APIEmbedField[]): void {
  const [only, another] = embeds;
  if (only && !another && sizeOf(only) + sizeOf({ fields: [...fields] }) <= LIMITS.total) {
    if (fields.length > 0) only.fields = [...fields];
    return;
  }
  for (const field of fields) {
    const last = embeds.at(-1);
    if (last && sizeOf(last) + sizeOf({ fields: [field] }) <= LIMITS.total - FOOTER_ROOM)
      last.fields = [...(last.fields ?? []), field];
    else embeds.push({ fields: [field] });
  }
}

/** Returns the number of units that count toward `LIMITS.total`. */
export function sizeOf({ title = '', description = '', footer, fields = [] }: APIEmbed): number {
  const own = title.length + description.length + (footer?.text.length ?? 0);
  return fields.reduce((sum, { name, value }) => sum + name.length + value.length, own);
}
