import { expect, test } from 'bun:test';
import { MADE, readDoc } from '../scripts/docs.ts';
import { CODES } from '../src/kernel/http/codes.ts';

test.each(Object.entries(MADE))('docs/%s says what the source says (bun scripts/docs.ts writes it)', async (file, make) => {
  expect((await readDoc(file)).made).toBe(make());
});

test('docs/errors.md has a row for every code, with its status and what to do', async () => {
  const rows = [...(await readDoc('errors.md')).made.matchAll(/^\| `(\w+)` \| (\d+) \| [^|]+ \| ([^|]+) \|$/gm)];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code ?? '', Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(CODES).map(([code, { status }]) => [code, status])),
  );
  for (const [, , , remedy] of rows) expect(remedy).toMatch(/^[A-Z].*\.$/);
});
