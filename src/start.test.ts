import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../test/harness/backends.ts';
import { currentKey } from './builds/find.ts';
import { SERVER } from './builds/products.ts';

test('the program starts from the bundle of its sources, and after a change from the sources', async () => {
  const root = freshDirectory();
  const write = (path: string, text: string) => writeFileSync(join(root, path), text);
  for (const path of ['start.ts', 'builds/find.ts', 'builds/products.ts', 'kernel/program-files.ts'])
    cpSync(join(import.meta.dir, path), join(root, 'src', path));
  const says = (place: string) => `export const main = (words) => console.log('${place}', ...words);`;
  write('package.json', '{}');
  write('package-lock.json', '{}');
  write('src/main.ts', says('sources'));
  const bundle = join('dist/server', currentKey(SERVER, root));
  mkdirSync(join(root, bundle), { recursive: true });
  const start = async () => {
    const child = Bun.spawn([process.execPath, join(root, 'src/start.ts'), 'user', 'list']);
    return (await new Response(child.stdout).text()).trim();
  };
  expect(await start()).toBe('sources user list');
  write(join(bundle, 'main.js'), says('bundle'));
  expect(await start()).toBe('bundle user list');
  write('src/main.ts', `${says('sources')}\n`);
  expect(await start()).toBe('sources user list');
});
