import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { GENERATED, readDoc } from '../scripts/docs.ts';
import { checked } from '../src/kernel/http/bodies/read-body.ts';
import { createProblems } from '../src/kernel/http/problems/problems.ts';
import { Problem } from '../src/kernel/problem.ts';
import { GERMAN, PROBLEMS } from '../src/server/problems.ts';

const ROOT = join(import.meta.dir, '..');

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

test('the example of docs/errors.md is a response of the server', async () => {
  const [, json = ''] = /```json\n(.*?)```/s.exec((await readDoc('errors.md')).before) ?? [];
  const example = JSON.parse(json) as { requestId: string };
  const { text } = createProblems(PROBLEMS, GERMAN).render(nameless(), {
    id: example.requestId,
    language: 'en',
  });
  expect(JSON.parse(text)).toEqual(example);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', ...new Bun.Glob('docs/*.md').scanSync(ROOT)])(
  'the sources that %s names exist',
  async (file) => {
    const text = await Bun.file(join(ROOT, file)).text();
    const paths = text.match(/\b(?:src|test)\/[\w./*-]+\.tsx?\b/g) ?? [];
    expect(paths.filter((path) => [...new Bun.Glob(path).scanSync(ROOT)].length === 0)).toEqual([]);
  },
);

/** The problem of a request without a required field. */
function nameless(): Problem {
  try {
    checked(z.object({ name: z.string() }), {}, 'body');
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('the request was accepted');
}
