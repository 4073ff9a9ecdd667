import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';

const SOURCE = join(import.meta.dir, '..');
/** Packages that the server loads at their first use. */
const ON_DEMAND = [
  'sharp',
  'oidc-provider',
  'openid-client',
  'nodemailer',
  '@discordjs/rest',
  'grammy',
  'liquidjs',
  'html-to-text',
  'mrml',
  'maxmind',
  'postal-mime',
  '@tus/server',
  'file-type',
  'pg',
];
/** Packages that no command but `serve` needs. */
const SERVER_ONLY = [...ON_DEMAND, 'hono', '@hono/zod-openapi', 'prom-client'];

/** Returns those `packages`, or paths within a package, that belong to a package of `list`. */
function among(packages: Set<string>, list: readonly string[]): string[] {
  return [...packages].filter((path) => list.some((name) => path === name || path.startsWith(`${name}/`)));
}

/** Returns the files and packages that `entry` imports statically, directly or not. */
async function loadedBy(entry: string): Promise<{ files: Set<string>; packages: Set<string> }> {
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  const files = new Set([join(SOURCE, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    for (const { kind, path } of transpiler.scanImports(await Bun.file(file).text())) {
      if (kind !== 'import-statement') continue;
      if (path.startsWith('.')) files.add(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return { files, packages };
}

test('the program loads the command line parser and no command', async () => {
  const { files, packages } = await loadedBy('main.ts');
  expect(
    [...files].filter((file) => file.startsWith(SOURCE)).map((file) => file.slice(SOURCE.length)),
  ).toEqual(['/main.ts', '/commands/run.ts', '/version.ts']);
  expect([...packages]).toEqual(['@commander-js/extra-typings']);
});

test('posthouse serve starts without the packages that only some requests need', async () => {
  const { files, packages } = await loadedBy('server.ts');
  expect(among(packages, ON_DEMAND)).toEqual([]);
  expect(files).toContain(join(SOURCE, 'mail/mail.ts'));
  expect(files).not.toContain(join(SOURCE, 'doctor/doctor.ts'));
});

test.each([
  'user',
  'token',
  'mail-client',
  'chat-client',
  'chat-guild',
  'chat-channel',
  'check',
  'backup',
  'restore',
])('posthouse %s loads nothing that only the server needs', async (name) => {
  const { files, packages } = await loadedBy(`commands/${name}.ts`);
  expect(among(packages, SERVER_ONLY)).toEqual([]);
  expect(files).not.toContain(join(SOURCE, 'server.ts'));
  expect(packages).toContain('kysely');
});
