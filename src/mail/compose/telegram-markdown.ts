import { createFormatter, type FormattedText, type Formatter } from './markup.ts';

const RESERVED = '_*[]()~`>#+-=|{}.!';
const MARKS: readonly [string, string][] = [
  ['__', 'underline'],
  ['||', 'spoiler'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
];

/** Reads Telegram's MarkdownV2 (https://core.telegram.org/bots/api#markdownv2-style); null = it is not valid. */
export function parseMarkdownV2(source: string): FormattedText | null {
  const formatter = createFormatter();
  let at = 0;
  while (at < source.length) {
    const next = step(source, at, formatter);
    if (next === null) return null;
    at = next;
  }
  if (formatter.top()?.type === 'blockquote') formatter.close();
  return formatter.result();
}

export function escapeMarkdownV2(text: string): string {
  return text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
}

/** Reads what stands at `at`; gives where to go on, null = not valid. */
function step(source: string, at: number, formatter: Formatter): number | null {
  const character = source.charAt(at);
  if (character === '\\') {
    formatter.write(source.charAt(at + 1));
    return at + 2;
  }
  if (character === '\n') {
    if (formatter.top()?.type === 'blockquote' && source.charAt(at + 1) !== '>') formatter.close();
    formatter.write('\n');
    return at + 1;
  }
  if (character === '>' && formatter.endsLine()) {
    if (!formatter.isOpen('blockquote')) formatter.open('blockquote');
    return at + 1;
  }
  if (source.startsWith('```', at)) return block(source, at, formatter);
  if (character === '`') return inline(source, at, formatter);
  if (character === '[' || source.startsWith('![', at)) {
    formatter.open(character === '[' ? 'text_link' : 'custom_emoji');
    return at + (character === '[' ? 1 : 2);
  }
  if (character === ']') return link(source, at, formatter);
  const mark = MARKS.find(([text]) => source.startsWith(text, at));
  if (mark) return toggle(mark, at, formatter);
  if (RESERVED.includes(character)) return null;
  formatter.write(character);
  return at + 1;
}

function toggle([text, type]: readonly [string, string], at: number, formatter: Formatter): number | null {
  if (formatter.top()?.type === type) formatter.close();
  else if (formatter.isOpen(type)) return null;
  else formatter.open(type);
  return at + text.length;
}

function block(source: string, at: number, formatter: Formatter): number | null {
  const end = source.indexOf('```', at + 3);
  if (end < 0) return null;
  const inside = source.slice(at + 3, end);
  const language = /^([\w+#-]+)\n/.exec(inside)?.[1];
  const code = language ? inside.slice(language.length + 1) : inside.replace(/^\n/, '');
  formatter.open('pre', language ? { language } : {});
  formatter.write(unescaped(code));
  formatter.close();
  return end + 3;
}

function inline(source: string, at: number, formatter: Formatter): number | null {
  const found = /^`((?:[^`\\]|\\[\s\S])*)`/.exec(source.slice(at));
  if (!found) return null;
  formatter.open('code');
  formatter.write(unescaped(found[1] ?? ''));
  formatter.close();
  return at + found[0].length;
}

function link(source: string, at: number, formatter: Formatter): number | null {
  const found = /^\]\(((?:[^)\\]|\\[\s\S])*)\)/.exec(source.slice(at));
  const type = formatter.top()?.type;
  if (!found || (type !== 'text_link' && type !== 'custom_emoji')) return null;
  const url = unescaped(found[1] ?? '');
  formatter.close(type === 'text_link' ? { url } : { custom_emoji_id: /[?&]id=(\d+)/.exec(url)?.[1] ?? '' });
  return at + found[0].length;
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}
