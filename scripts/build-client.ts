import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/*
 * Builds the published client (`posthouse/client`): one ES module without imports for browsers, Node.js and Bun,
 * and its declarations. `bun scripts/build-client.ts [DIRECTORY]`; default: dist/client.
 */

const ROOT = join(import.meta.dir, '..');
const SOURCE = join(ROOT, 'src/client');
const directory = resolve(process.argv[2] ?? join(ROOT, 'dist/client'));

await rm(directory, { recursive: true, force: true });
await mkdir(directory, { recursive: true });
await Bun.build({
  entrypoints: [join(SOURCE, 'index.ts')],
  outdir: directory,
  target: 'browser',
  format: 'esm',
  // Names in stack traces stay readable; whitespace and comments are most of the size.
  minify: { whitespace: true, syntax: true },
});
const declarations = Bun.spawn([join(ROOT, 'node_modules/.bin/tsc'), '-p', SOURCE, '--outDir', directory], {
  stdout: 'inherit',
  stderr: 'inherit',
});
if ((await declarations.exited) !== 0) process.exit(1);
await copyFile(join(SOURCE, 'schema.d.ts'), join(directory, 'schema.d.ts'));
