import { createFormatter, type Entity, type FormattedText } from './markup.ts';

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
const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*>|&(#x?[\da-fA-F]+|\w+);|([<>])/g;

/** Reads Telegram's HTML (https://core.telegram.org/bots/api#html-style); null = it is not valid. */
export function parseTelegramHtml(source: string): FormattedText | null {
  const formatter = createFormatter();
  const tags: { tag: string; isEntity: boolean }[] = [];
  let at = 0;
  for (const token of source.matchAll(TOKEN)) {
    formatter.write(source.slice(at, token.index));
    at = token.index + token[0].length;
    const [whole, slash, name, attributes = '', reference, stray] = token;
    if (stray === '<') return null;
    if (stray !== undefined) formatter.write(stray);
    else if (reference !== undefined) formatter.write(characterOf(reference) ?? whole);
    else if (slash) {
      const last = tags.pop();
      if (last?.tag !== name?.toLowerCase()) return null;
      if (last?.isEntity) formatter.close();
    } else {
      const tag = name?.toLowerCase() ?? '';
      const entity = entityOf(tag, attributes);
      if (!entity) return null;
      const block = formatter.top();
      // A code element that is all of a block names the block's language, and is nothing of its own.
      const isEntity = !(tag === 'code' && block?.type === 'pre' && tags.at(-1)?.tag === 'pre');
      tags.push({ tag, isEntity });
      if (isEntity) formatter.open(entity.type, entity);
      else if (block) block.language = /^language-(.+)$/.exec(attribute(attributes, 'class') ?? '')?.[1] ?? block.language;
    }
  }
  formatter.write(source.slice(at));
  return formatter.result();
}

export function escapeTelegramHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function entityOf(tag: string, attributes: string): (Partial<Entity> & { type: string }) | null {
  const type = TAGS[tag];
  if (!Object.hasOwn(TAGS, tag) || type === undefined) return null;
  if (type === 'text_link') return { type, url: attribute(attributes, 'href') ?? '' };
  if (type === 'custom_emoji') return { type, custom_emoji_id: attribute(attributes, 'emoji-id') ?? '' };
  if (tag === 'span') return attribute(attributes, 'class') === 'tg-spoiler' ? { type } : null;
  if (tag === 'blockquote' && /\bexpandable\b/.test(attributes)) return { type: 'expandable_blockquote' };
  return { type };
}

function attribute(attributes: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  const value = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return value?.replace(/&(#x?[\da-fA-F]+|\w+);/g, (whole, reference: string) => characterOf(reference) ?? whole) ?? null;
}

function characterOf(reference: string): string | null {
  if (!reference.startsWith('#')) return NAMED[reference.toLowerCase()] ?? null;
  const code = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number.parseInt(reference.slice(1), 10);
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : null;
}
