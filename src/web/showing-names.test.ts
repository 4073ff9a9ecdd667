import { expect, test } from 'bun:test';
import { showingNames } from './showing-names.ts';

test('texts show names', () => {
  const texts = showingNames({
    title: 'Rename',
    rename: (name: string, count: number) => `${name} ${count}`,
  });
  expect([texts.title, texts.rename('a\u202eb', 2)]).toEqual(['Rename', 'a\ufffdb 2']);
});
