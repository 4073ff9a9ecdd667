import { expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { freshDirectory } from '../../test/harness/backends.ts';
import { currentKey, installedBuilds } from './find.ts';
import { currentBuild, publishOnly, removeOldBuilds } from './make.ts';
import { SERVER, WEB } from './products.ts';

/** A package whose build copies one source, or fails without it. */
function fakePackage() {
  const root = freshDirectory();
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  for (const source of WEB.sources) mkdirSync(join(root, source), { recursive: true });
  write('package.json', '{}');
  write('package-lock.json', '{}');
  write('src/client/index.ts', 'one');
  write(
    'src/web/build.ts',
    `import { copyFileSync } from 'node:fs';
    copyFileSync('${join(root, 'src/client/index.ts')}', process.argv[2] + '/manifest.json');`,
  );
  const directory = join(root, 'data/web');
  return {
    root,
    directory,
    write,
    async build() {
      const build = await currentBuild(WEB, { directory, root });
      return { build, content: readFileSync(join(build, 'manifest.json'), 'utf8') };
    },
    /** As `scripts/install.mjs` and `npm pack` do. */
    install: () => currentBuild(WEB, { directory: installedBuilds(WEB, root), root }),
  };
}

test('a build is made once', async () => {
  const { root, build } = fakePackage();
  const first = await build();
  expect(first.content).toBe('one');
  writeFileSync(join(first.build, 'manifest.json'), 'kept');
  expect(await build()).toEqual({ build: first.build, content: 'kept' });
  expect(existsSync(installedBuilds(WEB, root))).toBe(false);
});

test.each([
  'src/client/index.ts',
  'src/web/App.tsx',
  'src/text/names.ts',
  'src/picture/is-long.ts',
  'package-lock.json',
])('a build is not used after a change of %s', async (changed) => {
  const { write, build, install } = fakePackage();
  const installed = await install();
  expect((await build()).build).toBe(installed);
  write(changed, 'two');
  const after = await build();
  expect(after.build).not.toBe(installed);
  expect(after.content).toBe(changed === 'src/client/index.ts' ? 'two' : 'one');
});

test('the key of the server depends on its sources, and not on those of the web app', () => {
  const { root, write } = fakePackage();
  const before = currentKey(SERVER, root);
  write('src/web/App.tsx', 'changed');
  write('src/server.test.ts', 'changed');
  expect(currentKey(SERVER, root)).toBe(before);
  write('src/client/index.ts', 'changed');
  expect(currentKey(SERVER, root)).not.toBe(before);
});

test('tests of the app are not part of a build', async () => {
  const { write, build } = fakePackage();
  const before = await build();
  write('src/web/App.test.tsx', 'a test');
  expect(await build()).toEqual(before);
});

test('a published package has its build, without lock file and tests', async () => {
  const { root, build, install } = fakePackage();
  const installed = await install();
  const published = freshDirectory();
  for (const name of ['src', 'dist', 'package.json'])
    cpSync(join(root, name), join(published, name), { recursive: true });
  rmSync(join(published, 'src/client/index.ts'));
  const found = await currentBuild(WEB, { directory: join(published, 'data'), root: published });
  expect(found).toBe(join(installedBuilds(WEB, published), basename(installed)));
  expect((await build()).build).toBe(installed);
});

test('a package contains the current build only, and older ones stay for the servers that use them', async () => {
  const { root, write, install } = fakePackage();
  const older = await install();
  write('package.json', '{ "name": "p", "version": "1.0.0", "files": ["dist"] }');
  const current = await install();
  publishOnly(installedBuilds(WEB, root), current);
  const pack = Bun.spawn(['npm', 'pack', '--dry-run', '--json'], { cwd: root, stderr: 'ignore' });
  const [packed] = (await new Response(pack.stdout).json()) as [{ files: { path: string }[] }];
  expect(packed.files.map(({ path }) => path)).toEqual([
    `dist/web/${basename(current)}/manifest.json`,
    'package.json',
  ]);
  expect(existsSync(older)).toBe(true);
});

test('a build that fails is reported, and leaves nothing', async () => {
  const { root, directory, build } = fakePackage();
  rmSync(join(root, 'src/client/index.ts'));
  await expect(build()).rejects.toThrow(/the build ended with status 1: .*no such file/s);
  expect(readdirSync(directory)).toEqual([]);
});

test('a build that another process removes at the same time causes no error', () => {
  const directory = freshDirectory();
  for (const name of ['current', 'used', 'older']) mkdirSync(join(directory, name));
  // Listed, but not found.
  symlinkSync(join(directory, 'nothing'), join(directory, 'removed'));
  removeOldBuilds(directory, join(directory, 'current'));
  expect(readdirSync(directory).sort()).toEqual(['current', 'older', 'used']);
});
