import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';

/** Modules that the start loads where it needs them. */
const AT_START = /^kernel\/database\//;

const SOURCES = join(import.meta.dir, '..');

/** Returns the modules that the server loads at their first use, and those that `on-demand.ts` loads. */
async function dynamicImports() {
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const files = new Set([join(SOURCES, 'server.ts')]);
  const needed = new Set<string>();
  const loaded = new Set<string>();
  const preloaders = ['server/on-demand.ts', 'identity/issuer/library.ts'];
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    const from = relative(SOURCES, file);
    for (const { kind, path } of transpiler.scanImports(await Bun.file(file).text())) {
      const target = path.startsWith('.') ? join(dirname(file), path) : null;
      if (target) files.add(target);
      if (kind !== 'dynamic-import') continue;
      const name = target ? relative(SOURCES, target) : path;
      needed.add(name);
      if (preloaders.includes(from)) loaded.add(name);
    }
  }
  return { needed: [...needed].filter((name) => !AT_START.test(name)), loaded: [...loaded] };
}

test('every module that the server does not load at its start is loaded soon after it', async () => {
  const { needed, loaded } = await dynamicImports();
  expect(needed).toContain('identity/issuer/provider.ts');
  expect(loaded.sort()).toEqual(needed.sort());
});
