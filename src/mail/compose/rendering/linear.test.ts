import { describe, expect, test } from 'bun:test';
import { withoutSecrets } from '../../../kernel/without-secrets.ts';
import { asciiDomain, isMailbox } from '../mime/addresses.ts';
import { parseTelegramHtml } from '../telegram/html.ts';
import { parseMarkdownV2 } from '../telegram/markdown.ts';
import { isMjml } from './mjml.ts';

const UNITS = [
  ...[
    'a',
    '1',
    ' ',
    '\n',
    '"',
    '\\',
    '\\"',
    '<',
    '>',
    '@',
    '.',
    '-',
    '&',
    '&#',
    ':',
    '/',
    '//',
    '://',
    '`',
    '```',
  ],
  ...[
    '[',
    '](',
    '>\n',
    '!',
    '?',
    '?key',
    '=',
    'a=',
    '<a ',
    '<a a=',
    ' a="',
    '<!--',
    '<!-- -->',
    'Bearer ',
    'password=',
  ],
  ...['é', '\u0300', '1:', 'a:', 'a@', '"a" ', '{{', '{%', '||', '*a*', '\\_'],
];
const LENGTH = 100_000;

/** Functions that read input of callers, or errors that quote it. A quadratic one would take minutes. */
const READERS: Record<string, (text: string) => unknown> = {
  isMailbox,
  asciiDomain,
  isMjml,
  withoutSecrets,
  parseTelegramHtml,
  parseMarkdownV2,
};

describe.each(Object.keys(READERS))('%s is linear', (name) => {
  test.each(UNITS.map((unit) => JSON.stringify(unit)))('in repetitions of %s', (unit) => {
    const text = (JSON.parse(unit) as string).repeat(LENGTH);
    for (const hostile of [text, `<a${text}`, `"${text}`, `/${text}`, `a@${text}`, `\`${text}`, `${text}\0`])
      READERS[name]?.(hostile);
    expect(text).not.toBe('');
  });
});
