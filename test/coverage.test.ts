import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { CODES } from '../src/kernel/http/codes.ts';
import { CODES_SHOWN, documentedAs, ROWS } from './coverage.ts';
import { freshSettings } from './harness/backends.ts';
import { startPosthouse } from './harness/posthouse.ts';

/** Administrators’ and accounts’ pages ask for what these give; their tests go with the pages. */
const OF_PAGES = /^\w+ \/api\/(?:admin|account)\//;
/** Seen in a browser, whatever the server stores its files in. */
const ONE_BACKEND = new Set(['test/storage-hostile.test.ts']);

const textOf = (file: string) => Bun.file(join(import.meta.dir, '..', file)).text();
const named = [
  ...Object.entries(ROWS).flatMap(([section, rows]) => Object.entries(rows).map(([row, shown]) => ({ section, what: row, shown }))),
  ...Object.entries(CODES_SHOWN).map(([code, shown]) => ({ section: 'codes', what: code, shown })),
];

test('every row of the OpenAPI document has a test that shows it, and no other has', async () => {
  const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
  const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as { paths: Record<string, object> };
  await posthouse.stop();
  const documented = Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((row) => !OF_PAGES.test(row));
  const rows = Object.values(ROWS).flatMap((section) => Object.keys(section).map(documentedAs));
  expect([...new Set(rows)].toSorted()).toEqual(documented.toSorted());
});

test.each(named)('$section: $what is shown by tests that are there', async ({ what, shown }) => {
  const sources = await Promise.all(Object.entries(shown).map(async ([file, names]) => ({ names, source: await textOf(file) })));
  expect(sources.length).toBeGreaterThan(0);
  for (const { names, source } of sources) {
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(source).toMatch(new RegExp(`\\(\\s*'${RegExp.escape(name)}`));
  }
  if (what in CODES) expect(sources.some(({ source }) => new RegExp(`\\b${what}\\b`).test(source))).toBe(true);
});

test('what shows storage, chat and mail runs on both databases and both stores', async () => {
  const files = named.filter(({ section }) => ['Storage', 'Chat', 'Mail'].includes(section)).flatMap(({ shown }) => Object.keys(shown));
  for (const file of new Set(files)) {
    if (!ONE_BACKEND.has(file)) expect(await textOf(file)).toMatch(/describe\.each\((?:BACKENDS|DATABASES)\)/);
  }
});
