import { expect, test } from 'bun:test';
import { createBeginUnsized, type UnsizedUpload } from './arriving.ts';

const space = { free: 100 };
const uploads = () => createBeginUnsized(async () => space.free);
const fits = async (arrival: UnsizedUpload, bytes: number) => {
  try {
    await arrival.take(bytes);
    return true;
  } catch {
    return false;
  }
};

test('uploads of a workspace fit into its space together', async () => {
  const open = uploads();
  const [first, second, other] = [open('a', 0), open('a', 0), open('b', 0)];
  expect(await fits(first, 60)).toBe(true);
  expect(await fits(second, 60)).toBe(false);
  expect(await fits(other, 100)).toBe(true);
  // The refused one has freed its space.
  expect(await fits(first, 40)).toBe(true);
  expect(await fits(first, 1)).toBe(false);
});

test('one of several that are checked at once continues', async () => {
  const open = uploads();
  const all = Array.from({ length: 6 }, () => open('a', 0));
  expect((await Promise.all(all.map((each) => fits(each, 100)))).filter(Boolean)).toHaveLength(1);
});

test('an upload that ends frees its space, which is read again', async () => {
  const open = uploads();
  const [first, second] = [open('a', 0), open('a', 0)];
  expect(await fits(first, 60)).toBe(true);
  first.end();
  first.end();
  space.free = 40;
  expect(await fits(second, 40)).toBe(true);
  expect(await fits(second, 1)).toBe(false);
  space.free = 100;
});

test('the bytes of a file that is replaced need no space', async () => {
  const open = uploads();
  const arrival = open('a', 50);
  expect(await fits(arrival, 30)).toBe(true);
  expect(await fits(arrival, 120)).toBe(true);
  expect(await fits(arrival, 1)).toBe(false);
});
