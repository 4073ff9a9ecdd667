import { describe, expect, test } from 'bun:test';
import { fc } from '../../../test/harness/properties.ts';
import { Problem } from '../../kernel/problem.ts';
import { nameKey } from '../../text/name-key.ts';
import { readFileName, readFolderName } from './names.ts';

const RUNS = { numRuns: 2_000 };
/** Every kind of character there is, and often those that matter here. */
const anything = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '/',
        '\\',
        '.',
        '..',
        '\0',
        '\x7f',
        '\x85',
        '\ud800',
        'Σ',
        'ß',
        'ẞ',
        'İ',
        'ı',
        'é',
        'e\u0301',
        '日本',
        '👩‍🚀',
      ),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const isName = (text: string) =>
  !['', '.', '..'].includes(text) &&
  text.isWellFormed() &&
  Buffer.byteLength(text) <= 255 &&
  !/[\p{Cc}/\\]/u.test(text);

/** Returns the result, or the field of the error. */
function attempt(
  read: (sent: string, field: string) => string,
  sent: string,
): string | { field: string | undefined } {
  try {
    return read(sent, 'field');
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).code).toBe('invalid_request');
    return { field: (error as Problem).fields?.[0]?.path };
  }
}

describe('names', () => {
  test('of files are the text after the last separator, unchanged, or rejected', () => {
    fc.assert(
      fc.property(anything, (sent) => {
        const last = sent.split(/[/\\]/).at(-1) ?? '';
        expect(attempt(readFileName, sent)).toEqual(isName(last) ? last : { field: 'field' });
      }),
      RUNS,
    );
  });

  test('of folders are unchanged, or rejected', () => {
    fc.assert(
      fc.property(anything, (sent) => {
        expect(attempt(readFolderName, sent)).toEqual(isName(sent) ? sent : { field: 'name' });
      }),
      RUNS,
    );
  });

  test('that differ only in letter case or composition have one key', () => {
    fc.assert(
      fc.property(anything, (sent) => {
        const name = sent.normalize('NFC');
        const key = nameKey(name);
        expect(nameKey(name.toUpperCase())).toBe(key);
        expect(nameKey(name.toLowerCase())).toBe(key);
        expect(nameKey(name.normalize('NFD'))).toBe(key);
        expect(nameKey(key)).toBe(key);
      }),
      RUNS,
    );
  });

  test('are found by any part, without regard to case', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-zßéñλας-ωё]{0,8}$/),
        fc.stringMatching(/^[a-zßéñλας-ωё]{1,8}$/),
        (before, part) => {
          expect(nameKey(`${before}${part} x`)).toContain(nameKey(part.toUpperCase()));
        },
      ),
      RUNS,
    );
  });

  test.each(['', ' ', '\u00a0\u3000'])('may not be blank: “%s”', (blank) => {
    expect(attempt(readFileName, blank)).toEqual({ field: 'field' });
  });

  test.each([
    ['a\u0007', 'must not contain control characters'],
    ['a\ud800', 'must not contain unpaired surrogates'],
  ])('may not be %j', (name, message) => {
    expect(() => readFileName(name, 'field')).toThrow(`field: ${message}`);
  });

  test('may have 255 bytes in UTF-8', () => {
    const longest = `${'é'.repeat(127)}a`;
    expect(readFileName(longest, 'field')).toBe(longest);
    expect(attempt(readFileName, `${longest}a`)).toEqual({ field: 'field' });
  });

  // Keys are stored, so they may not change.
  test('have these keys', () => {
    expect(['Straße.TXT', 'ΟΔΟΣ', 'E\u0301'].map(nameKey)).toEqual(['strasse.txt', 'οδοσ', 'é']);
  });

  test.each([
    ['STRASSE', 'straße'],
    ['GROẞ', 'groß'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'ΟΔΟΣ'],
    ['e\u0301', 'É'],
    ['İ', 'i\u0307'],
    ['ﬁ', 'FI'],
    ['ǆ', 'ǅ'],
  ])('%p and %p are one name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  test.each([
    ['a', 'b'],
    ['e', 'é'],
    ['ı', 'j'],
    ['②', '2'],
  ])('%p and %p are two', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});
