import { describe, expect, spyOn, test } from 'bun:test';
import { fc } from '../../../test/harness/properties.ts';
import { type Piece, splitInSlices, splitText } from './split.ts';

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
        expect(
          [...graphemes.segment(part)].every(({ segment }) => segment === letter || segment === 'x'),
        ).toBe(true);
    }
  });
});

describe('characters at the limit of 2,000 units', () => {
  // U+1D165 is a combining mark of two units, so the whole text is one grapheme; an odd offset splits a pair.
  test.each([
    ['', [2_000, 2_000, 2_000]],
    ['a', [1_999, 2_000, 2_000, 2]],
    ['ab', [1, 1_999, 2_000, 2_000, 2]],
  ])('a grapheme of %p and 3,000 marks is split between code points', (start, lengths) => {
    const text = start + '\u{1D165}'.repeat(3_000);
    const pieces = splitText(text, 2_000);
    expect(joined(pieces)).toBe(text);
    expect(pieces.every((piece) => piece.text.isWellFormed())).toBe(true);
    expect(pieces.map((piece) => piece.text.length)).toEqual(lengths);
  });

  test('a surrogate pair at the limit is not split, whatever its code point', () => {
    const text = `a${'\u{1D165}'.repeat(5)}${'\u0301'.repeat(20)}`;
    expect(splitText(text, 10)[0]?.text).toBe(`a${'\u{1D165}'.repeat(4)}`);
    // Pairs with the first and the last surrogates: marks that extend the character before them, and a character that
    // extends the mark before it.
    for (const [start, next] of [
      ['a', '\u{1D165}\u{1D165}'],
      ['a', '\u{101FD}\u{101FD}'],
      ['\u0600', '\u{10FFFF}'],
    ])
      expect(splitText(`${start}${next}`, 2)[0]?.text).toBe(start ?? '');
  });

  test('a pair that does not fit at all is split', () => {
    expect(splitText('😀😀', 1).map(whole)).toEqual(['\ud83d', '\ude00', '\ud83d', '\ude00']);
  });

  test.each(['👨‍👩‍👧‍👦', '🏳️‍🌈', '🇩🇪', 'e\u0301\u0302', '\u1112\u1161\u11ab', '\r\n', '👍🏽'])(
    '%p at any offset stays whole',
    (letter) => {
      for (let before = 2_000 - letter.length; before <= 2_001; before++) {
        const text = `${'a'.repeat(before)}${letter}${'b'.repeat(2_000)}`;
        const pieces = splitText(text, 2_000);
        expect(joined(pieces)).toBe(text);
        expect(pieces.every((piece) => piece.text.length <= 2_000)).toBe(true);
        expect(pieces.filter((piece) => piece.text.includes(letter))).toHaveLength(1);
      }
    },
  );

  test.each(['a', '👨‍👩‍👧‍👦', 'e\u0301', '\u{1D165}'])(
    '2,000 units that end in %p are one piece',
    (letter) => {
      const text = 'a'.repeat(2_000 - letter.length) + letter;
      expect(splitText(text, 2_000)).toEqual([{ prefix: '', text, suffix: '' }]);
      expect(splitText(`${text}b`, 2_000).length).toBe(2);
    },
  );
});

describe('breaks', () => {
  const limit = 100;
  test('between paragraphs before lines', () => {
    const text = `${'a'.repeat(60)}\n\n${'b'.repeat(20)}\n${'c'.repeat(60)}`;
    expect(splitText(text, limit).map(whole)).toEqual([
      `${'a'.repeat(60)}\n\n`,
      `${'b'.repeat(20)}\n${'c'.repeat(60)}`,
    ]);
  });
  test('between lines before words', () => {
    const text = `${'a'.repeat(60)}\n${'b '.repeat(40)}`;
    expect(splitText(text, limit)[0]?.text).toBe(`${'a'.repeat(60)}\n`);
  });
  test.each([' ', '\t', '\u3000', '\u2000', '\u200a'])('between words, at %j', (space) => {
    expect(splitText(`letters${space}`.repeat(30), limit)[0]?.text).toBe(`letters${space}`.repeat(12));
  });
  test.each(['\u00a0', '\u2007', '\u1fff', '\u200b', '!', '\u000b'])('not at %j', (character) => {
    expect(splitText(`letters${character}`.repeat(30), limit)[0]?.text).toHaveLength(100);
  });
  test('not between a space and its mark', () => {
    const text = `${'a'.repeat(60)} \u0301${'b'.repeat(60)}`;
    expect(splitText(text, limit)[0]?.text).toHaveLength(100);
  });
  test('between paragraphs that end in CRLF', () => {
    const first = `${'a'.repeat(60)}\r\n\r\n`;
    expect(splitText(`${first}${'b'.repeat(20)}\r\n${'c'.repeat(60)}`, limit)[0]?.text).toBe(first);
  });
  test('a text that fits is one piece, even a blank text', () => {
    for (const text of [' '.repeat(100), '\n'.repeat(99), ''])
      expect(splitText(text, limit)).toEqual([{ prefix: '', text, suffix: '' }]);
  });
  test('a last piece that fits is not split', () => {
    const rest = `${'b'.repeat(60)}\n${'c'.repeat(39)}`;
    expect(splitText(`${'a'.repeat(100)}${rest}`, limit).map(whole)).toEqual(['a'.repeat(100), rest]);
  });
  test('not at a paragraph that would leave a piece nearly empty', () => {
    const text = `a\n\n${'word '.repeat(40)}`;
    expect(splitText(text, limit)[0]?.text.length).toBeGreaterThan(90);
  });
  test.each([
    ['\n\n', 48, 50],
    ['\n\n', 47, 100],
    ['\n', 49, 50],
    ['\n', 48, 100],
  ])(
    'a break %p after %d of 100 units ends a piece of %d: at least half of it is full',
    (gap, before, size) => {
      const text = `${'a'.repeat(before)}${gap}${'b'.repeat(200)}`;
      expect(splitText(text, limit)[0]?.text).toHaveLength(size);
    },
  );
  test('blank lines make no empty piece', () => {
    const pieces = splitText(`a${'\n'.repeat(1000)}b`, limit);
    expect(pieces.map(({ text }) => text.trim())).toEqual(['a', 'b']);
  });
});

describe('unsplittable items', () => {
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
  test('flags are looked up in one piece at a time', () => {
    const segment = spyOn(Intl.Segmenter.prototype, 'segment');
    const pieces = splitText('🇩🇪'.repeat(1_000), 255);
    expect(pieces.every(({ text }) => text.length % 4 === 0)).toBe(true);
    expect(Math.max(...segment.mock.calls.map(([text]) => text.length))).toBeLessThan(300);
    segment.mockRestore();
  });

  test('one that is longer than a piece is split between graphemes', () => {
    const pieces = splitText(`https://example.org/${'👨‍👩‍👧‍👦'.repeat(30)}`, 100);
    for (const { text } of pieces) expect(text).toMatch(/^(?:https:\/\/example.org\/)?(?:👨‍👩‍👧‍👦)+$/u);
  });
  test('a code block of blanks that is longer than a piece is split at the limit', () => {
    const text = `\`\`\`a${' '.repeat(20)}\`\`\`${'b'.repeat(20)}`;
    expect(splitText(text, 12)[0]?.text).toHaveLength(8);
  });
  test('one that is longer than a piece is split', () => {
    const text = `https://example.org/${'a'.repeat(300)}`;
    const pieces = splitText(text, 100);
    expect(joined(pieces)).toBe(text);
    expect(pieces).toHaveLength(4);
  });
});

describe('code blocks', () => {
  test('one that fits is not split', () => {
    const block = `\`\`\`ts\n${'const a = 1;\n'.repeat(5)}\`\`\``;
    const text = `${'word '.repeat(12)}\n${block}\nafter`;
    const pieces = splitText(text, 100).map(whole);
    expect(pieces.some((piece) => piece.includes(block))).toBe(true);
  });
  test.each([70, 99, 100])('one of %d units after a word stays whole', (size) => {
    const block = `\`\`\`\n${'c\n'.repeat(60).slice(0, size - 8)}\n\`\`\``;
    for (const rest of ['b'.repeat(60), ' word'.repeat(20)]) {
      const pieces = splitText(`${'a'.repeat(60)}${block}${rest}`, 100).map(whole);
      expect(pieces[0]).toBe('a'.repeat(60));
      expect(pieces[1]).toStartWith(block);
    }
  });
  test('a line end before a long block is preferred to one inside', () => {
    const text = `${'a'.repeat(55)}\n\`\`\`\n${'line\n'.repeat(40)}\`\`\``;
    expect(splitText(text, 100)[0]).toEqual({ prefix: '', text: `${'a'.repeat(55)}\n`, suffix: '' });
  });
  test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
    'lines of %d units fill pieces',
    (length) => {
      const text = `\`\`\`\n${`${'x'.repeat(length)}\n`.repeat(60)}\`\`\``;
      const pieces = splitText(text, 100);
      for (const piece of pieces) expect(whole(piece).length).toBeLessThanOrEqual(100);
      for (const piece of pieces.slice(0, -1)) {
        expect(piece.suffix).toBe('```');
        expect(piece.text.endsWith('\n')).toBe(true);
        expect(whole(piece).length).toBeGreaterThan(100 - length - 1);
      }
    },
  );
  test('a line longer than a piece is closed on a separate line', () => {
    const pieces = splitText(`\`\`\`\n${'x'.repeat(300)}\n\`\`\``, 100);
    expect(pieces[0]).toEqual({ prefix: '', text: `\`\`\`\n${'x'.repeat(92)}`, suffix: '\n```' });
    expect(pieces[1]).toEqual({ prefix: '```\n', text: 'x'.repeat(92), suffix: '\n```' });
  });
  test('a long one is closed and reopened with its language', () => {
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
  test('a URL next to a block does not include its fence', () => {
    const text = `https://a.b/${'c'.repeat(46)}\`\`\`some code\`\`\``;
    for (const piece of splitText(text, 60)) expect((whole(piece).match(/```/g) ?? []).length % 2).toBe(0);
  });
  test('an unclosed fence is text', () => {
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

test('the pieces of any text contain it, fit, and have closed code blocks', () => {
  fc.assert(
    fc.property(
      fc.array(bits, { minLength: 20, maxLength: 80, size: 'max' }),
      fc.integer({ min: 60, max: 200 }),
      (words, limit) => {
        const text = words.join('');
        const pieces = splitText(text, limit);
        expect(joined(pieces).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const piece of pieces) {
          expect(whole(piece).length).toBeLessThanOrEqual(limit);
          expect(whole(piece).isWellFormed() || !text.isWellFormed()).toBe(true);
          // With an odd count, the last fence is text.
          if (count(text, /```/g) % 2 === 0) expect(count(whole(piece), /```/g) % 2).toBe(0);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Repeated texts that may be expensive to split: by their pieces, tokens or code blocks. */
const EXPENSIVE = [
  ...['[', '](', '`', '<', '&', '```', '![a', 'https://', '<@1', '[a](b', '\n', ' ', 'a', '`a` ', '&amp;'],
  ...['\r\n', '😀', '\u0301', '\u{1D165}', '🇩🇪', '日本語 ', '```\na\n```\n'],
];
const megabyteOf = (unit: string) => unit.repeat(Math.floor(1_000_000 / unit.length));

test('a megabyte of any text is split in linear time', () => {
  for (const unit of EXPENSIVE) {
    const text = megabyteOf(unit);
    expect(joined(splitText(text, 4096)).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  }
}, 60_000);

test('a megabyte of any text is split in small steps', async () => {
  const exec = spyOn(RegExp.prototype, 'exec');
  for (const unit of EXPENSIVE) {
    const text = megabyteOf(unit);
    let steps = 0;
    let most = 0;
    exec.mockClear();
    await splitInSlices(text, 4096, () => {
      steps++;
      most = Math.max(most, exec.mock.calls.length);
      exec.mockClear();
      return undefined;
    });
    expect(steps).toBeGreaterThanOrEqual(244);
    // Of the characters that are read at once, at most one in four begins a token.
    expect(most).toBeLessThan(6_000);
  }
  exec.mockRestore();
}, 60_000);

test('a long text is split in steps into the same pieces as at once', async () => {
  const text = `${'word '.repeat(5_000)}${'\n'.repeat(5_000)}${'word '.repeat(5_000)}`;
  expect(await splitInSlices(text, 4096, () => undefined)).toEqual(splitText(text, 4096));
});

test.each([
  '[a link](https://example.org/)',
  '```\nsome code\n```',
  '`code of a line`',
  `https://a.b/${'c'.repeat(30)}\`\`\`some code\`\`\``,
])('%j is split the same across the chunks in which a text is read', (unit) => {
  const pieces = (before: number) => splitText(`${'a '.repeat(before / 2)}${unit}${' a'.repeat(100)}`, 60);
  for (let before = 16_384 - 2 * unit.length; before <= 16_384; before += 2) {
    // Words of two characters fill pieces of 60.
    const expected = pieces(before % 60);
    expect(pieces(before).slice(-expected.length)).toEqual(expected);
  }
});
