import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from './backends.ts';
import { resultOf } from './result-of.ts';

const ROOT = join(import.meta.dir, '../..');

/** Runs a program to its end; `more` extends its environment. */
export async function run(cwd: string, words: string[], more: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env;
  const child = Bun.spawn(words, { cwd, env: { PATH, HOME, ...more }, stdout: 'pipe', stderr: 'pipe' });
  return await resultOf(child);
}

/** Creates a project whose node_modules have the built package and its dependencies. */
export async function createClientProject(): Promise<string> {
  const project = freshDirectory();
  const modules = join(project, 'node_modules');
  const built = join(modules, 'posthouse');
  mkdirSync(built, { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(built, 'package.json'));
  mkdirSync(join(modules, '@types'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const script = join(ROOT, 'scripts/build-client.ts');
  const { status, stdout, stderr } = await run(ROOT, [process.execPath, script, join(built, 'dist/client')]);
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  await Bun.write(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  return project;
}

/** Compiles files in the project, given by name with their source; returns the errors, '' = none. */
export async function compile(
  project: string,
  sources: Record<string, string>,
  moduleResolution: 'nodenext' | 'bundler',
): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    moduleResolution,
    lib: ['es2022', 'dom'],
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  const files = Object.keys(sources);
  for (const file of files) await Bun.write(join(project, file), sources[file] ?? '');
  await Bun.write(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { status, stdout } = await run(project, [join(ROOT, 'node_modules/.bin/tsc'), '-p', '.']);
  return status === 0 ? '' : stdout || `status ${status}`;
}
