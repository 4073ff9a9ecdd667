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

/** A quadratic function takes half a minute for this many units. */
const LENGTH = 300_000;
const TIMEOUT_MS = 10_000;

/**
 * Functions that read input of callers, or errors that quote it, with a number of units. Those of Telegram run in a
 * child process with a time limit.
 */
const READERS: Record<string, readonly [read: (text: string) => unknown, length: number]> = {
  isMailbox: [isMailbox, LENGTH],
  asciiDomain: [asciiDomain, LENGTH],
  isMjml: [isMjml, LENGTH],
  withoutSecrets: [withoutSecrets, LENGTH],
  parseTelegramHtml: [parseTelegramHtml, 50_000],
  parseMarkdownV2: [parseMarkdownV2, 50_000],
};

describe.each(Object.entries(READERS))('%s is linear', (_, [read, length]) => {
  test.each(UNITS.map((unit) => JSON.stringify(unit)))(
    'in repetitions of %s',
    (unit) => {
      const text = (JSON.parse(unit) as string).repeat(length);
      for (const hostile of [
        text,
        `<a${text}`,
        `"${text}`,
        `/${text}`,
        `a@${text}`,
        `\`${text}`,
        `${text}\0`,
      ])
        read(hostile);
      expect(text).not.toBe('');
    },
    TIMEOUT_MS,
  );
});
