import { describe, expect, test } from 'bun:test';
import { shownName as shownByServer } from '../kernel/shown-name.ts';
import { showingNames, shownName } from './shown-name.ts';

describe.each([
  ['the app', shownName],
  ['the server', shownByServer],
])('a name shown by %s', (_, shown) => {
  test('has a mark in place of each character that reorders text', () => {
    expect(shown('invoice\u202egpj.exe')).toBe('invoice\ufffdgpj.exe');
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
    expect(shown(`a${controls.join('')}b`)).toBe(`a${'\ufffd'.repeat(controls.length)}b`);
  });

  test('has no marks of direction', () => {
    expect(shown('a\u200eb\u200fc\u061cd.txt')).toBe('abcd.txt');
  });

  test.each(['חשבונית 2024.pdf', 'فاتورة.pdf', 'Grüße 👩‍👧.txt', 'می‌خواهم.txt'])(
    'is otherwise unchanged: %s',
    (name) => {
      expect(shown(name)).toBe(name);
    },
  );
});

test('texts show names', () => {
  const texts = showingNames({
    title: 'Rename',
    rename: (name: string, count: number) => `${name} ${count}`,
  });
  expect([texts.title, texts.rename('a\u202eb', 2)]).toEqual(['Rename', 'a\ufffdb 2']);
});
