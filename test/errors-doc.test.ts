import { expect, test } from 'bun:test';
import { GENERATED, readDoc } from '../scripts/docs.ts';
import { PROBLEMS } from '../src/problems.ts';

test.each(Object.entries(GENERATED))('docs/%s is up to date (run npm run docs)', async (file, make) => {
  expect((await readDoc(file)).generated).toBe(make());
});

test('docs/errors.md has a row for every code, with its status and remedy', async () => {
  const rows = [
    ...(await readDoc('errors.md')).generated.matchAll(/^\| `(\w+)` \| (\d+) \| [^|]+ \| ([^|]+) \|$/gm),
  ];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code ?? '', Number(status)]))).toEqual(
    Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
  );
  for (const [, , , remedy] of rows) expect(remedy).toMatch(/^[A-Z].*\.$/);
});
