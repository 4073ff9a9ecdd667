import { describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';

/** The walls of the house (ARCHITECTURE.md says why they stand). Paths are relative to `src`. */
type Sources = ReadonlyMap<string, string>;

const SERVICES = ['identity', 'storage', 'chat', 'mail'];
/** What services may know beside the kernel: the one thing of identity, and a fact. */
const SHARED = ['identity/guard.ts', 'version.ts'];
/** Files outside `routes/` that speak HTTP because that is their one job. */
const HTTP_EDGES = /^(?:identity\/guard\.ts|identity\/login\/|identity\/issuer\/|storage\/share-page\/|\w+\/pages\/)/;
const TYPESCRIPT = /\.tsx?$/;

async function readSources(): Promise<Sources> {
  const root = join(import.meta.dir, '../src');
  const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(root)].filter((path) => !path.includes('.test.')).sort();
  return new Map(await Promise.all(paths.map(async (path) => [path, await Bun.file(join(root, path)).text()] as const)));
}

/** What `source` imports: paths relative to `src`, and names of packages as they stand. */
function importsOf(path: string, source: string): string[] {
  const given = [...withoutComments(source).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\bdeclare module\s*)(['"])([^'"\n]+)\1/g)].map(
    ([, , name]) => name ?? '',
  );
  return given.map((name) => (name.startsWith('.') ? join(dirname(path), name) : name));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const folderOf = (path: string) => path.split('/', 1)[0] ?? '';
const isOwnFile = (path: string) => TYPESCRIPT.test(path) && !path.startsWith('.');

type Rule = (path: string, source: string, sources: Sources) => string[];

const RULES: Record<string, Rule> = {
  'kernel and config know no service': (path, source) =>
    ['kernel', 'config'].includes(folderOf(path))
      ? importsOf(path, source).filter((name) => isOwnFile(name) && !['kernel', 'config'].includes(folderOf(name)))
      : [],

  'a service knows itself, the kernel, types of the configuration and the guard': (path, source) =>
    SERVICES.includes(folderOf(path))
      ? importsOf(path, source).filter(
          (name) => isOwnFile(name) && ![folderOf(path), 'kernel', 'config'].includes(folderOf(name)) && !SHARED.includes(name),
        )
      : [],

  'a service reads no configuration by itself': (path, source) =>
    [...SERVICES, 'kernel'].includes(folderOf(path))
      ? [...withoutComments(source).matchAll(/^import (?!type)[^;]*?from '[^']*\/config\/[^']*'/gm)].map(([line]) => line)
      : [],

  'the browser app and the client reach the server over HTTP alone': (path, source) =>
    ['web', 'client'].includes(folderOf(path)) && path !== 'web/build.ts'
      ? importsOf(path, source).filter((name) => isOwnFile(name) && folderOf(name) !== folderOf(path))
      : [],

  'nobody but the composition root imports the browser app': (path, source) =>
    !['web', 'server.ts', 'commands'].includes(folderOf(path))
      ? importsOf(path, source).filter((name) => isOwnFile(name) && folderOf(name) === 'web')
      : [],

  'only config reads the environment': (path, source) =>
    folderOf(path) === 'config' || path === 'web/build.ts'
      ? []
      : [...withoutComments(source).matchAll(/\b(?:process|Bun|import\.meta)\.env\b/g)].map(([found]) => found),

  'routes know no SQL': (path, source) =>
    path.includes('/routes/')
      ? [
          ...importsOf(path, source).filter((name) => name === 'kysely' || name === 'pg' || name === 'bun:sqlite'),
          ...[...withoutComments(source).matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g)].map(([found]) => found),
        ]
      : [],

  'below the routes nothing knows HTTP': (path, source) =>
    SERVICES.includes(folderOf(path)) &&
    !path.includes('/routes/') &&
    path !== `${folderOf(path)}/${folderOf(path)}.ts` &&
    !HTTP_EDGES.test(path)
      ? importsOf(path, source).filter(
          (name) => /^hono(?:\/(?!utils\/mime)|$)/.test(name) || name === 'kernel/http/context.ts' || name === 'kernel/http/endpoint.ts',
        )
      : [],

  'a table is used by the service that declares it alone': (path, source, sources) => {
    const own = folderOf(path);
    if (!SERVICES.includes(own)) return [];
    const others = [...tablesByFolder(sources)].filter(([folder]) => folder !== own && folder !== 'kernel').flatMap(([, names]) => names);
    const used = [
      ...withoutComments(source).matchAll(
        /(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|[a-z]+Join|from|using|references)\(\s*\[?\s*['"`](\w+)/g,
      ),
    ];
    return used.flatMap(([, name]) => (name !== undefined && others.includes(name) ? [name] : []));
  },

  'only commands and child processes print and end the process': (path, source) =>
    ['commands', 'main.ts', 'web'].includes(folderOf(path)) || path.endsWith('/child.ts')
      ? []
      : [...withoutComments(source).matchAll(/\b(?:console\.\w+|process\.exit)\(/g)].map(([found]) => found),
};

/** The tables that each folder's `tables.ts` declares. */
function tablesByFolder(sources: Sources): Map<string, string[]> {
  return new Map(
    [...sources]
      .filter(([path]) => /^\w+\/tables\.ts$/.test(path))
      .map(([path, source]) => [
        folderOf(path),
        [...(/interface Tables \{([^}]*)\}/.exec(source)?.[1] ?? '').matchAll(/^\s*(\w+):/gm)].map(([, name]) => name ?? ''),
      ]),
  );
}

function violations(rule: Rule, sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => rule(path, source, sources).map((found) => `${path}: ${found}`));
}

describe('the house keeps its walls', async () => {
  const sources = await readSources();

  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(violations(rule, sources)).toEqual([]);
  });

  test('what the program imports is installed for serving, not for tests alone', async () => {
    const { dependencies } = (await Bun.file(join(import.meta.dir, '../package.json')).json()) as { dependencies: Record<string, string> };
    const packages = [...sources]
      .flatMap(([path, source]) => importsOf(path, source))
      .flatMap((name) => /^(?:@[\w-]+\/)?[\w-]+(?=\/|$)/.exec(name)?.[0] ?? []);
    const own = ['kernel', 'node', 'bun', ...[...sources.keys()].map(folderOf)];
    const missing = new Set(packages.filter((name) => !(name in dependencies) && !own.includes(name)));
    expect([...missing]).toEqual([]);
    expect(packages).toContain('tus-js-client');
  });

  test('there are sources and tables to look at', () => {
    expect(sources.size).toBeGreaterThan(50);
    expect([...tablesByFolder(sources).values()].flat()).toContain('outbox');
  });
});

/** One offence against each rule, so that a rule that sees nothing is noticed. */
const OFFENCES: [rule: keyof typeof RULES, path: string, source: string][] = [
  ['kernel and config know no service', 'kernel/x.ts', `import { files } from '../storage/files.ts';`],
  ['kernel and config know no service', 'config/x.ts', `import type { A } from '../server.ts';`],
  [
    'a service knows itself, the kernel, types of the configuration and the guard',
    'storage/routes/x.ts',
    `import { a } from '../../identity/accounts.ts';`,
  ],
  [
    'a service knows itself, the kernel, types of the configuration and the guard',
    'chat/x.ts',
    `const a = await import('../mail/mail.ts');`,
  ],
  ['a service reads no configuration by itself', 'mail/x.ts', `import { shapeConfig } from '../config/config.ts';`],
  ['the browser app and the client reach the server over HTTP alone', 'web/x.tsx', `import type { A } from '../storage/files.ts';`],
  ['nobody but the composition root imports the browser app', 'storage/x.ts', `import { a } from '../web/api.ts';`],
  ['only config reads the environment', 'mail/x.ts', 'const a = process.env.HOME;'],
  ['routes know no SQL', 'chat/routes/x.ts', `import { sql } from 'kysely';`],
  ['routes know no SQL', 'chat/routes/x.ts', `await database.read.selectFrom('outbox').execute();`],
  ['below the routes nothing knows HTTP', 'chat/x.ts', `import type { Ctx } from '../kernel/http/context.ts';`],
  ['below the routes nothing knows HTTP', 'chat/x.ts', `import { getCookie } from 'hono/cookie';`],
  ['a table is used by the service that declares it alone', 'chat/x.ts', `trx.selectFrom('folders as f')`],
  ['a table is used by the service that declares it alone', 'chat/x.ts', `trx.selectFrom(['folders'])`],
  ['only commands and child processes print and end the process', 'chat/x.ts', 'console.log(1);'],
];

describe('each rule sees an offence', () => {
  const tables = ['storage/tables.ts', 'interface Tables {\n  folders: FoldersTable;\n}'] as const;
  test.each(OFFENCES)('%s: %s', (rule, path, source) => {
    expect(violations(RULES[rule] ?? (() => []), new Map([tables, [path, source]]))).toHaveLength(1);
  });
  test('each rule has one here', () => {
    expect(Object.keys(RULES).filter((rule) => !OFFENCES.some(([offended]) => offended === rule))).toEqual([]);
  });
});
