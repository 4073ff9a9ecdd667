import { describe, expect, test } from 'bun:test';
import { shownName } from './shown-name.ts';

describe('a shown name', () => {
  test('has a mark in place of each character that reorders text', () => {
    expect(shownName('invoice\u202egpj.exe')).toBe('invoice\ufffdgpj.exe');
    const controls = [
      '\u202a',
      '\u202b',
      '\u202c',
      '\u202d',
      '\u202e',
      '\u2066',
      '\u2067',
      '\u2068',
      '\u2069',
    ];
    expect(shownName(`a${controls.join('')}b`)).toBe(`a${'\ufffd'.repeat(controls.length)}b`);
  });

  test('has no marks of direction', () => {
    expect(shownName('a\u200eb\u200fc\u061cd.txt')).toBe('abcd.txt');
  });

  test.each(['חשבונית 2024.pdf', 'فاتورة.pdf', 'Grüße 👩‍👧.txt', 'می‌خواهم.txt'])(
    'is otherwise unchanged: %s',
    (name) => {
      expect(shownName(name)).toBe(name);
    },
  );
});
