import { describe, expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { escapeTelegramHtml, parseTelegramHtml } from './html.ts';
import { escapeMarkdownV2, parseMarkdownV2 } from './markdown.ts';
import { splitFormatted } from './markup.ts';
import { splitPlainText } from './split-text.ts';

describe('splitting', () => {
  test('loses nothing, stays within the limit and splits no grapheme', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '\n\n', 'word ', '😀', 'e\u0301', '👩‍👩‍👧‍👦', '🇩🇪');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), fc.integer({ min: 20, max: 60 }), (units, longest) => {
        const text = units.join('');
        const pieces = splitPlainText(text, longest);
        expect(pieces.join('')).toBe(text);
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(longest);
        const boundaries = new Set([...new Intl.Segmenter('en').segment(text)].map(({ index }) => index));
        let at = 0;
        for (const piece of pieces.slice(0, -1)) {
          at += piece.length;
          expect(boundaries.has(at)).toBe(true);
        }
      }),
    );
  });

  test('of one grapheme longer than the limit splits no character', () => {
    const text = `e${'\u0301'.repeat(9_000)}`;
    expect(splitPlainText(text, 4096).join('')).toBe(text);
    expect(splitPlainText('👩‍'.repeat(3_000), 4096).every((piece) => piece.isWellFormed())).toBe(true);
  });
});

describe('markup', () => {
  test('escaped text reads as the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseTelegramHtml(escapeTelegramHtml(text))).toEqual({ text, entities: [] });
        const safe = text.replace(/\r/g, '');
        expect(parseMarkdownV2(escapeMarkdownV2(safe))).toEqual({ text: safe, entities: [] });
      }),
    );
  });

  test.each([
    [
      '<b>a <i>b</i></b>',
      'a b',
      [
        ['bold', 0, 3],
        ['italic', 2, 1],
      ],
    ],
    ['<pre><code class="language-ts">x</code></pre>', 'x', [['pre', 0, 1]]],
    [
      '<span class="tg-spoiler">x</span><blockquote expandable>y</blockquote>',
      'xy',
      [
        ['spoiler', 0, 1],
        ['expandable_blockquote', 1, 1],
      ],
    ],
    ['&lt;&#x1F600;&nbsp;', '<😀&nbsp;', []],
  ])('HTML %s', (source, text, entities) => {
    const read = parseTelegramHtml(source);
    expect(read?.text).toBe(text);
    expect(read?.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(entities);
  });

  test.each([
    '<b>x',
    '</b>',
    '<b><i>x</b></i>',
    '<script>x</script>',
    'a < b',
    '<span>x</span>',
    '<constructor>x</constructor>',
  ])('HTML %s is not valid', (source) => {
    expect(parseTelegramHtml(source)).toBeNull();
  });

  test.each([
    [
      '*a _b_*',
      'a b',
      [
        ['bold', 0, 3],
        ['italic', 2, 1],
      ],
    ],
    [
      '__u__ ||s|| ~x~',
      'u s x',
      [
        ['underline', 0, 1],
        ['spoiler', 2, 1],
        ['strikethrough', 4, 1],
      ],
    ],
    ['```ts\nx \\` y```', 'x ` y', [['pre', 0, 5]]],
    ['`a_b*c`', 'a_b*c', [['code', 0, 5]]],
    [
      '[a *b*](https://x.org/\\))',
      'a b',
      [
        ['text_link', 0, 3],
        ['bold', 2, 1],
      ],
    ],
    ['>q1\n>q2\nafter', 'q1\nq2\nafter', [['blockquote', 0, 5]]],
  ])('MarkdownV2 %s', (source, text, entities) => {
    const read = parseMarkdownV2(source);
    expect(read?.text).toBe(text);
    expect(read?.entities.map(({ type, offset, length }) => [type, offset, length])).toEqual(entities);
  });

  test.each(['*x', 'a.b', '*a _b* c_', '[x](y', '`x', '```x', 'x)', 'a > b'])(
    'MarkdownV2 %s is not valid',
    (source) => {
      expect(parseMarkdownV2(source)).toBeNull();
    },
  );

  test('an entity across a split is in both segments', () => {
    const pieces = splitFormatted({ text: 'abcdef', entities: [{ type: 'bold', offset: 1, length: 4 }] }, [
      'abc',
      'def',
    ]);
    expect(pieces.map(({ entities }) => entities)).toEqual([
      [{ type: 'bold', offset: 1, length: 2 }],
      [{ type: 'bold', offset: 0, length: 2 }],
    ]);
  });
});
