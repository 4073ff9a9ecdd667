import { createFormatter, type FormattedText, type Formatter } from './markup.ts';

const RESERVED = '_*[]()~`>#+-=|{}.!';
const MARKS: readonly [string, string][] = [
  ['__', 'underline'],
  ['||', 'spoiler'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strikethrough'],
];

/** Parses Telegram's MarkdownV2 (https://core.telegram.org/bots/api#markdownv2-style); null = invalid. */
export function parseMarkdownV2(source: string): FormattedText | null {
  const formatter = createFormatter();
  let at = 0;
  while (at < source.length) {
    const next = (READERS[source.charAt(at)] ?? text)(source, at, formatter);
    if (next === null) return null;
    at = next;
  }
  if (formatter.top()?.type === 'blockquote') formatter.close();
  return formatter.result();
}

export function escapeMarkdownV2(text: string): string {
  return text.replace(/[_*[\]()~`>#+\-=|{}.!\\]/g, '\\$&');
}

/** Reads the markup at `at`; returns the position after it, null = invalid. */
type MarkupReader = (source: string, at: number, formatter: Formatter) => number | null;

/** Readers by the first character of the markup. */
const READERS: Readonly<Record<string, MarkupReader>> = {
  '\\': escaped,
  '\n': lineEnd,
  '>': quote,
  '`': (source, at, formatter) =>
    source.startsWith('```', at) ? block(source, at, formatter) : inline(source, at, formatter),
  '[': (_, at, formatter) => {
    formatter.open('text_link');
    return at + 1;
  },
  '!': emoji,
  ']': link,
  _: mark,
  '|': mark,
  '*': mark,
  '~': mark,
};

function text(source: string, at: number, formatter: Formatter): number | null {
  const character = source.charAt(at);
  if (RESERVED.includes(character)) return null;
  formatter.write(character);
  return at + 1;
}

function escaped(source: string, at: number, formatter: Formatter): number {
  formatter.write(source.charAt(at + 1));
  return at + 2;
}

function lineEnd(source: string, at: number, formatter: Formatter): number {
  if (formatter.top()?.type === 'blockquote' && source.charAt(at + 1) !== '>') formatter.close();
  formatter.write('\n');
  return at + 1;
}

function quote(_: string, at: number, formatter: Formatter): number | null {
  if (!formatter.isAtLineStart()) return null;
  if (!formatter.isOpen('blockquote')) formatter.open('blockquote');
  return at + 1;
}

function emoji(source: string, at: number, formatter: Formatter): number | null {
  if (source.charAt(at + 1) !== '[') return null;
  formatter.open('custom_emoji');
  return at + 2;
}

function mark(source: string, at: number, formatter: Formatter): number | null {
  const [characters, type] = MARKS.find(([characters]) => source.startsWith(characters, at)) ?? [];
  if (characters === undefined || type === undefined) return null;
  if (formatter.top()?.type === type) formatter.close();
  else if (formatter.isOpen(type)) return null;
  else formatter.open(type);
  return at + characters.length;
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
