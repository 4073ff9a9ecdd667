import { beforeAll, expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../test/harness/backends.ts';
import { startProgram } from '../../test/harness/process.ts';
import { until } from '../../test/harness/until.ts';

const SOURCES = join(import.meta.dir, '..');
const root = freshDirectory();
const bundle = join(root, 'dist/server/key');

beforeAll(async () => {
  symlinkSync(join(SOURCES, '../node_modules'), join(root, 'node_modules'));
  const build = Bun.spawn([process.execPath, join(import.meta.dir, 'server.ts'), bundle], {
    stderr: 'inherit',
  });
  expect(await build.exited).toBe(0);
});

test('every program that the sources start is part of the bundle', async () => {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(SOURCES)].filter((path) => !path.includes('.test.'));
  const texts = await Promise.all(paths.map((path) => Bun.file(join(SOURCES, path)).text()));
  const started = texts.flatMap((text) =>
    [...text.matchAll(/programFile\('([^']+)'/g)].map(([, name]) => name),
  );
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter((name) => !existsSync(join(bundle, `${name}.js`)))).toEqual([]);
});

test('a server starts from the bundle, and its log has positions of the sources', async () => {
  const posthouse = await startProgram([join(bundle, 'main.js'), 'serve'], {
    POSTHOUSE_DATA_DIR: join(root, 'data'),
  });
  expect((await posthouse.fetch('/readyz')).status).toBe(200);
  // The web app cannot be built, since its sources are not there.
  await until(() => /"stack":"[^"]*\/src\/builds\/find\.ts:\d+/.test(posthouse.output()));
  expect(await posthouse.stop()).toBe(0);
});
