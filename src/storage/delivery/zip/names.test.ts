import { describe, expect, test } from 'bun:test';
import { fc } from '../../../../test/harness/properties.ts';
import { archiveNames, type NamedChild } from './names.ts';

const files = (...names: string[]): NamedChild[] => names.map((name) => ({ name, isFolder: false }));
const folders = (...names: string[]): NamedChild[] => names.map((name) => ({ name, isFolder: true }));

describe('archiveNames', () => {
  test('numbers clashing names in their order', async () => {
    expect(await archiveNames(files('a.txt', 'a.txt', 'b', 'a.txt'), true)).toEqual([
      'a.txt',
      'a (2).txt',
      'b',
      'a (3).txt',
    ]);
  });

  test('skips a number that another file has in its name', async () => {
    expect(await archiveNames(files('a.txt', 'a.txt', 'a (2).txt'), true)).toEqual([
      'a.txt',
      'a (3).txt',
      'a (2).txt',
    ]);
  });

  test('numbers names that differ only in case or Unicode form', async () => {
    expect(await archiveNames(files('Ä.txt', 'ä.txt', 'A\u0308.txt'), true)).toEqual([
      'Ä.txt',
      'ä (2).txt',
      'A\u0308 (3).txt',
    ]);
  });

  test('appends the number to folders and dot files', async () => {
    expect(await archiveNames([...folders('v1.2'), ...files('v1.2', '.env', '.env')], true)).toEqual([
      'v1.2',
      'v1 (2).2',
      '.env',
      '.env (2)',
    ]);
  });

  test('appends the number to the whole name of a folder', async () => {
    expect(await archiveNames(folders('v1.2', 'V1.2'), true)).toEqual(['v1.2', 'V1.2 (2)']);
  });

  test('keeps a colon that does not follow a drive letter', async () => {
    expect(await archiveNames(files('ab:c', '1:c'), true)).toEqual(['ab:c', '1:c']);
  });

  test('encodes characters that would lead out of the folder', async () => {
    expect(await archiveNames(files('..', '.', '.. ', 'a/../b', 'a\\b', 'C:', 'x\0y'), true)).toEqual([
      '%2E%2E',
      '%2E',
      '%2E%2E ',
      'a%2F..%2Fb',
      'a%5Cb',
      'C%3A',
      'x%00y',
    ]);
    expect(await archiveNames(files('C:x', '12:30'), false)).toEqual(['C:x', '12:30']);
  });

  test('an encoded name does not become another file of that name', async () => {
    expect(await archiveNames(files('C%3A', 'C:'), true)).toEqual(['C%3A', 'C%3A (2)']);
  });

  test('a numbered name stays within 255 bytes', async () => {
    const long = `${'ü'.repeat(125)}x.txt`;
    const [first, second] = await archiveNames(files(long, long), true);
    expect(first).toBe(long);
    expect(second).toBe(`${'ü'.repeat(123)} (2).txt`);
  });

  test('tries few numbers for long names that are equal once they are shortened', async () => {
    const ends = Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const pairs = [4, 5, 6].flatMap((bytes) =>
      ends.flatMap((end) => {
        const name = `${'x'.repeat(255 - bytes)}${end}`;
        return [name, name];
      }),
    );
    let tried = 0;
    const names = await archiveNames(files(...pairs), true, () => {
      tried++;
      return undefined;
    });
    expect(new Set(names).size).toBe(3_000);
    expect(tried).toBeLessThan(3 * 3_000);
  });

  test('only a short extension follows the number', async () => {
    const second = async (extension: string) =>
      (await archiveNames(files(`a.${extension}`, `a.${extension}`), true))[1];
    expect(await second('b')).toBe('a (2).b');
    expect(await second('x'.repeat(31))).toBe(`a (2).${'x'.repeat(31)}`);
    expect(await second('x'.repeat(32))).toBe(`a.${'x'.repeat(32)} (2)`);
    expect(await second('x'.repeat(253))).toBe(`a.${'x'.repeat(249)} (2)`);
  });

  test('long names that are equal after shortening are numbered on', async () => {
    const [one, other] = ['x'.repeat(255), `${'x'.repeat(254)}y`];
    const names = await archiveNames(files(one, one, other, other), true);
    expect(names).toEqual([one, `${'x'.repeat(251)} (2)`, other, `${'x'.repeat(251)} (3)`]);
  });

  test('10,000 files of one name are numbered in linear time', async () => {
    const names = await archiveNames(files(...Array<string>(10_000).fill('same.bin')), true);
    expect(names.at(-1)).toBe('same (10000).bin');
  });

  test('are distinct, safe segments for any names', async () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'a',
        'A',
        'a (2)',
        'a (3)',
        '..',
        'C:',
        'c:',
        'C%3A',
        '\ud800',
        '\udbff',
        'x'.repeat(255),
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name, isFolder: fc.boolean() }), { maxLength: 12 }),
        fc.boolean(),
        async (children, isTop) => {
          const names = await archiveNames(children, isTop);
          expect(names).toHaveLength(children.length);
          expect(new Set(names.map((candidate) => candidate.normalize('NFC').toLowerCase())).size).toBe(
            names.length,
          );
          for (const candidate of names) {
            expect(candidate).not.toMatch(/^$|^\.{1,2}$|[/\\\p{Cc}]/u);
            expect(candidate.isWellFormed()).toBe(true);
            if (isTop) expect(candidate).not.toMatch(/^[A-Za-z]:/);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
