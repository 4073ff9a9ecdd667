import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Piece, splitText } from './split.ts';

const whole = ({ prefix, text, suffix }: Piece) => `${prefix}${text}${suffix}`;
const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
const joined = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('');

const ALPHABETS = { ASCII: 'a', emoji: '😀', 'combining marks': 'e\u0301', family: '👨‍👩‍👧‍👦' };
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

describe.each(Object.entries(ALPHABETS))('at the limit, of %s', (_, letter) => {
  test.each([1999, 2000, 2001, 4095, 4096, 4097, 5999, 6000, 6001])('%d units', (size) => {
    const text = letter.repeat(Math.floor(size / letter.length)) + 'x'.repeat(size % letter.length);
    for (const limit of [2000, 4096, 6000]) {
      const pieces = splitText(text, limit);
      expect(joined(pieces)).toBe(text);
      expect(pieces.every((piece) => whole(piece).length <= limit)).toBe(true);
      if (size <= limit) expect(pieces).toHaveLength(1);
      else expect(pieces.length).toBeGreaterThan(1);
      for (const { text: part } of pieces)
        expect([...graphemes.segment(part)].every(({ segment }) => segment === letter || segment === 'x')).toBe(true);
    }
  });
});

describe('places', () => {
  const limit = 100;
  test('between paragraphs before lines', () => {
    const text = `${'a'.repeat(60)}\n\n${'b'.repeat(20)}\n${'c'.repeat(60)}`;
    expect(splitText(text, limit).map(whole)).toEqual([`${'a'.repeat(60)}\n\n`, `${'b'.repeat(20)}\n${'c'.repeat(60)}`]);
  });
  test('between lines before words', () => {
    const text = `${'a'.repeat(60)}\n${'b '.repeat(40)}`;
    expect(splitText(text, limit)[0]?.text).toBe(`${'a'.repeat(60)}\n`);
  });
  test('between words', () => {
    expect(splitText('word '.repeat(30), limit)[0]?.text).toBe('word '.repeat(20));
  });
  test('a paragraph that would leave the part nearly empty is no reason', () => {
    const text = `a\n\n${'word '.repeat(40)}`;
    expect(splitText(text, limit)[0]?.text.length).toBeGreaterThan(90);
  });
  test('blank stretches make no empty part', () => {
    const pieces = splitText(`a${'\n'.repeat(1000)}b`, limit);
    expect(pieces.map(({ text }) => text.trim())).toEqual(['a', 'b']);
  });
});

describe('whole things', () => {
  const things = [
    '<@123456789012345678>',
    '<@!123456789012345678>',
    '<@&123456789012345678>',
    '<#123456789012345678>',
    '<:posthorn:123456789012345678>',
    '<a:posthorn:123456789012345678>',
    '<t:1700000000:R>',
    '</deploy now:123456789012345678>',
    '[a link](https://example.org/a_(b)/c)',
    '[a link](https://example.org/ "with a title")',
    'https://example.org/path?query=1#fragment',
    '<https://example.org/path>',
    '&amp;',
    '&#x1F600;',
    '`inline code`',
  ];
  test.each(things)('%s is never cut', (thing) => {
    for (let before = 100 - thing.length; before <= 101; before++) {
      const text = `${'a'.repeat(before)}${thing}${'b'.repeat(60)}`;
      const pieces = splitText(text, 100);
      expect(joined(pieces)).toBe(text);
      expect(pieces.filter(({ text: part }) => part.includes(thing))).toHaveLength(1);
    }
  });
  test('one that is longer than a part is cut, since it must be', () => {
    const text = `https://example.org/${'a'.repeat(300)}`;
    const pieces = splitText(text, 100);
    expect(joined(pieces)).toBe(text);
    expect(pieces).toHaveLength(4);
  });
});

describe('code blocks', () => {
  test('one that fits stays whole', () => {
    const block = `\`\`\`ts\n${'const a = 1;\n'.repeat(5)}\`\`\``;
    const text = `${'word '.repeat(12)}\n${block}\nafter`;
    const pieces = splitText(text, 100).map(whole);
    expect(pieces.some((piece) => piece.includes(block))).toBe(true);
  });
  test('a long one is closed and opened again, in its language', () => {
    const text = `\`\`\`ts\n${'const a = 1;\n'.repeat(50)}\`\`\``;
    const pieces = splitText(text, 100);
    expect(joined(pieces)).toBe(text);
    for (const piece of pieces) {
      expect(whole(piece).startsWith('```ts\n')).toBe(true);
      expect(whole(piece).endsWith('```')).toBe(true);
      expect(whole(piece).match(/```/g)).toHaveLength(2);
      expect(whole(piece).length).toBeLessThanOrEqual(100);
    }
  });
  test('an address that runs into a block does not take its fence along', () => {
    const text = `https://a.b/${'c'.repeat(46)}\`\`\`some code\`\`\``;
    for (const piece of splitText(text, 60)) expect((whole(piece).match(/```/g) ?? []).length % 2).toBe(0);
  });
  test('a fence that nothing closes is text', () => {
    const pieces = splitText(`\`\`\`ts\n${'word '.repeat(50)}`, 100);
    expect(pieces.every(({ prefix, suffix }) => prefix === '' && suffix === '')).toBe(true);
  });
});

const bits = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '```',
    '```js\n',
    '\n```',
    '`',
    '<@123>',
    '[a](b)',
    'https://a.b/c',
    '&amp;',
    '👨‍👩‍👧‍👦',
    'e\u0301\u0302',
    '🇩🇪',
  ),
);

test('the parts of any text give it back, fit, and keep code blocks closed', () => {
  fc.assert(
    fc.property(fc.array(bits, { minLength: 20, maxLength: 80, size: 'max' }), fc.integer({ min: 60, max: 200 }), (words, limit) => {
      const text = words.join('');
      const pieces = splitText(text, limit);
      expect(joined(pieces).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      for (const piece of pieces) {
        expect(whole(piece).length).toBeLessThanOrEqual(limit);
        expect(whole(piece).isWellFormed() || !text.isWellFormed()).toBe(true);
        // With an odd count, the last fence is text.
        if (count(text, /```/g) % 2 === 0) expect(count(whole(piece), /```/g) % 2).toBe(0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a megabyte of anything takes no time to speak of', () => {
  for (const unit of ['[', '](', '`', '<', '&', '```', '![a', 'https://', '<@1', '[a](b', '\n', ' ', 'a']) {
    const text = unit.repeat(Math.floor(1_000_000 / unit.length));
    expect(joined(splitText(text, 4096)).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  }
}, 20_000);
