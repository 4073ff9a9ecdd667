import { expect, test } from 'bun:test';
import { inPreorder } from './preorder.ts';

const LEVELS = 40;
/** Chains of folders below one root, those of a level together, as a query returns them. */
const chains = Array.from({ length: LEVELS }, (_, level) =>
  ['a', 'b', 'c'].map((name) => ({
    id: `${name}${level}`,
    parent_id: level === 0 ? 'root' : `${name}${level - 1}`,
  })),
).flat();
const byParent = (folders: readonly { id: string; parent_id: string }[]) =>
  Map.groupBy<string | null, (typeof folders)[number]>(folders, ({ parent_id }) => parent_id);

test('the parents of consecutive folders are among them, or above the first', () => {
  const sorted = [...inPreorder(byParent(chains), 'root')];
  expect(sorted).toHaveLength(chains.length);
  const parentOf = new Map(sorted.map(({ id, parent_id }) => [id, parent_id]));
  for (let at = 0; at < sorted.length; at++) {
    const group = sorted.slice(at, at + 20);
    const known = new Set(['root', ...group.map(({ id }) => id)]);
    for (let id = group[0]?.parent_id; id; id = parentOf.get(id)) known.add(id);
    for (const { parent_id } of group) expect(known).toContain(parent_id);
  }
});

test('siblings keep their order, and folders elsewhere are left out', () => {
  const folders = ['x', 'y', 'z'].map((id) => ({ id, parent_id: 'root' }));
  const elsewhere = { id: 'other', parent_id: 'gone' };
  expect([...inPreorder(byParent([elsewhere, ...folders]), 'root')]).toEqual(folders);
});
