import { createFormatter, type Entity, type FormattedText, type Formatter } from './markup.ts';

const TAGS: Record<string, string> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  a: 'text_link',
  'tg-emoji': 'custom_emoji',
};
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };
/**
 * A tag, a character reference, or a stray angle bracket. Telegram refuses what a browser's parser repairs. None of its
 * tags has more than one attribute; without a bound, 40,000 of them take the engine seconds.
 */
const TOKEN = new RegExp(
  [
    /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?){0,32})\s*>/,
    /&(#x?[\da-fA-F]+|\w+);/,
    /([<>])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** The text so far and the tags that are open. */
interface State {
  formatter: Formatter;
  open: { tag: string; isEntity: boolean }[];
}

/** Parses Telegram's HTML (https://core.telegram.org/bots/api#html-style); null = invalid. */
export function parseTelegramHtml(source: string): FormattedText | null {
  const state: State = { formatter: createFormatter(), open: [] };
  let at = 0;
  for (const token of source.matchAll(TOKEN)) {
    state.formatter.write(source.slice(at, token.index));
    at = token.index + token[0].length;
    if (!readToken(token, state)) return null;
  }
  state.formatter.write(source.slice(at));
  return state.formatter.result();
}

export function escapeTelegramHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** @returns false = invalid */
function readToken(
  [whole, slash, name, attributes = '', reference, stray]: RegExpExecArray,
  state: State,
): boolean {
  if (stray === '<') return false;
  const tag = name?.toLowerCase();
  if (tag !== undefined) return slash ? closeTag(tag, state) : openTag(tag, attributes, state);
  state.formatter.write(stray ?? characterOf(reference ?? '') ?? whole);
  return true;
}

function openTag(tag: string, attributes: string, { formatter, open }: State): boolean {
  const entity = entityOf(tag, attributes);
  if (!entity) return false;
  const block = formatter.top();
  // A code element directly in a block names the block's language and is no entity.
  const isEntity = !(tag === 'code' && block?.type === 'pre' && open.at(-1)?.tag === 'pre');
  open.push({ tag, isEntity });
  if (isEntity) formatter.open(entity.type, entity);
  else if (block)
    block.language = /^language-(.+)$/.exec(attribute(attributes, 'class') ?? '')?.[1] ?? block.language;
  return true;
}

function closeTag(tag: string, { formatter, open }: State): boolean {
  const last = open.pop();
  if (last?.tag !== tag) return false;
  if (last.isEntity) formatter.close();
  return true;
}

type Opened = Partial<Entity> & { type: string };

/** The entities whose attributes count; null = the attributes are invalid. */
const WITH_ATTRIBUTES: Record<string, (type: string, attributes: string) => Opened | null> = {
  a: (type, attributes) => ({ type, url: attribute(attributes, 'href') ?? '' }),
  'tg-emoji': (type, attributes) => ({ type, custom_emoji_id: attribute(attributes, 'emoji-id') ?? '' }),
  span: (type, attributes) => (attribute(attributes, 'class') === 'tg-spoiler' ? { type } : null),
  blockquote: (type, attributes) => ({
    type: /\bexpandable\b/.test(attributes) ? 'expandable_blockquote' : type,
  }),
};

function entityOf(tag: string, attributes: string): Opened | null {
  const type = TAGS[tag];
  if (!Object.hasOwn(TAGS, tag) || type === undefined) return null;
  return (WITH_ATTRIBUTES[tag] ?? ((only) => ({ type: only })))(type, attributes);
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  const decoded = (whole: string, reference: string) => characterOf(reference) ?? whole;
  return value?.replace(/&(#x?[\da-fA-F]+|\w+);/g, decoded) ?? null;
}

/** Returns the character of a reference without `&` and `;`; null = unknown. */
function characterOf(reference: string): string | null {
  if (!reference.startsWith('#')) return NAMED[reference.toLowerCase()] ?? null;
  const code = /^#x/i.test(reference)
    ? Number.parseInt(reference.slice(2), 16)
    : Number.parseInt(reference.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    ? String.fromCodePoint(code)
    : null;
}
