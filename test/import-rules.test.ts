import { describe, expect, test } from 'bun:test';
import { dirname, join } from 'node:path';

/** The rules of the architecture; ARCHITECTURE.md has the reasons. Paths are relative to `src`. */
type Sources = ReadonlyMap<string, string>;

const SERVICES = ['identity', 'storage', 'chat', 'mail'];
/** Functions that the server, its pages and the browser app share. */
const COMMON = ['text', 'picture'];
/** Folders whose problems every service may report: the guard's. */
const SHARED_PROBLEMS = ['identity'];
/** Files outside the kernel that every service may import. */
const SHARED = ['identity/guard.ts', 'version.ts'];
/** Files outside `routes/` whose one job is HTTP: the sign-in, and clients of the peers. */
const HTTP_EDGES =
  /^(?:identity\/guard\.ts|identity\/(?:login|issuer|pages)\/|chat\/platform\.ts|mail\/transports\/telegram-answers\.ts)/;
const TYPESCRIPT = /\.tsx?$/;

async function readSources(): Promise<Sources> {
  const files = await readFiles(join(import.meta.dir, '../src'), '**/*.{ts,tsx}');
  return new Map([...files].filter(([path]) => !path.includes('.test.')));
}

async function readFiles(root: string, glob: string): Promise<Sources> {
  const paths = [...new Bun.Glob(glob).scanSync(root)].sort();
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(join(root, path)).text()] as const)),
  );
}

/** The imports of `source`: paths relative to `src`, and names of packages. */
function importsOf(path: string, source: string): string[] {
  const given = [
    ...withoutComments(source).matchAll(
      /(?:\bfrom\s*|\bimport\s*\(?\s*|\bdeclare module\s*)(['"])([^'"\n]+)\1/g,
    ),
  ].map(([, , name]) => name ?? '');
  return given.map((name) => (name.startsWith('.') ? join(dirname(path), name) : name));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const folderOf = (path: string) => path.split('/', 1)[0] ?? '';
const isOwnFile = (path: string) => TYPESCRIPT.test(path) && !path.startsWith('.');

type Rule = (path: string, source: string, sources: Sources) => string[];

const RULES: Record<string, Rule> = {
  'kernel and config import no service': (path, source) =>
    ['kernel', 'config'].includes(folderOf(path))
      ? importsOf(path, source).filter(
          (name) => isOwnFile(name) && !['kernel', 'config', ...COMMON].includes(folderOf(name)),
        )
      : [],

  'common functions import nothing': (path, source) =>
    COMMON.includes(folderOf(path))
      ? importsOf(path, source).filter((name) => folderOf(name) !== folderOf(path))
      : [],

  'a service imports only itself, the kernel, types of the configuration and the guard': (path, source) =>
    SERVICES.includes(folderOf(path))
      ? importsOf(path, source).filter(
          (name) =>
            isOwnFile(name) &&
            ![folderOf(path), 'kernel', 'config', ...COMMON].includes(folderOf(name)) &&
            !SHARED.includes(name),
        )
      : [],

  'a service does not read the configuration': (path, source) =>
    [...SERVICES, 'kernel'].includes(folderOf(path))
      ? [...withoutComments(source).matchAll(/^import (?!type)[^;]*?from '[^']*\/config\/[^']*'/gm)].map(
          ([line]) => line,
        )
      : [],

  'the browser app and the client reach the server over HTTP only': (path, source) =>
    ['web', 'client'].includes(folderOf(path)) && path !== 'web/build.ts'
      ? importsOf(path, source).filter(
          (name) =>
            isOwnFile(name) &&
            ![folderOf(path), ...COMMON].includes(folderOf(name)) &&
            !(folderOf(path) === 'web' && name === 'client/index.ts'),
        )
      : [],

  'the browser app sends requests through the client alone': (path, source) =>
    // The service worker passes requests on, and the snippet is a program for pages of other sites.
    folderOf(path) === 'web' && !/^web\/(?:service-worker\/|pages\/mail\/contact-snippet)/.test(path)
      ? [...withoutComments(source).matchAll(/(?<![.\w])fetch\(|\bXMLHttpRequest\b|\btus-js-client\b/g)].map(
          ([found]) => found,
        )
      : [],

  'only the composition root imports the browser app': (path, source) =>
    !['web', 'server.ts', 'commands'].includes(folderOf(path))
      ? importsOf(path, source).filter((name) => isOwnFile(name) && folderOf(name) === 'web')
      : [],

  'only config reads the environment': (path, source) =>
    folderOf(path) === 'config' || path === 'web/build.ts'
      ? []
      : [...withoutComments(source).matchAll(/\b(?:process|Bun|import\.meta)\.env\b/g)].map(
          ([found]) => found,
        ),

  'routes contain no SQL': (path, source) =>
    path.includes('/routes/')
      ? [
          ...importsOf(path, source).filter(
            (name) => name === 'kysely' || name === 'pg' || name === 'bun:sqlite',
          ),
          ...[
            ...withoutComments(source).matchAll(/\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/g),
          ].map(([found]) => found),
        ]
      : [],

  'routes receive members from their endpoints': (path, source) =>
    path.startsWith('storage/routes/') && path !== 'storage/routes/members.ts'
      ? [...withoutComments(source).matchAll(/\bmemberOf\b|\bas Member\b/g)].map(([found]) => found)
      : [],

  'the kernel does not name what a service is about': (path, source) =>
    folderOf(path) === 'kernel'
      ? [
          ...withoutComments(source).matchAll(
            /discord|telegram|smtp|guild|workspace|thumbnail|\/public\/|\/api\/(?:storage|chatbot|admin)/gi,
          ),
        ].map(([found]) => found)
      : [],

  'outside routes nothing imports HTTP': (path, source) =>
    isBelowRoutes(path)
      ? importsOf(path, source).filter(
          (name) => /^hono(?:\/(?!utils\/mime)|$)/.test(name) || name.startsWith('kernel/http/'),
        )
      : [],

  'outside routes nothing answers requests': (path, source) =>
    isBelowRoutes(path)
      ? [
          ...withoutComments(source).matchAll(
            /\bResponse\.(?:json|redirect)\(|\bnew Response\((?:null|JSON|['"`])|\bc\.(?:req|json|header|redirect)\b|\brequest\.headers\b/g,
          ),
        ].map(([found]) => found)
      : [],

  'a service reports its own problems and those of the kernel': (path, source, sources) => {
    const own = folderOf(path);
    if (![...SERVICES, 'kernel'].includes(own)) return [];
    const allowed = new Set(
      ['kernel', own, ...SHARED_PROBLEMS].flatMap((folder) => codesOf(folder, sources)),
    );
    return [...source.matchAll(/\bnew (?:Http)?Problem\(\s*'(\w+)'/g)].flatMap(([, code]) =>
      code === undefined || allowed.has(code) ? [] : [code],
    );
  },

  'a table is used by the service that declares it alone': (path, source, sources) => {
    const own = folderOf(path);
    if (!SERVICES.includes(own)) return [];
    const others = [...tablesByFolder(sources)]
      .filter(([folder]) => folder !== own && folder !== 'kernel')
      .flatMap(([, names]) => names);
    const used = [
      ...withoutComments(source).matchAll(
        /(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|[a-z]+Join|from|using|references|deleteOld)\((?:database, )?\s*\[?\s*['"`](\w+)/g,
      ),
    ];
    return used.flatMap(([, name]) => (name !== undefined && others.includes(name) ? [name] : []));
  },

  'only commands and child processes print and end the process': (path, source) =>
    ['commands', 'main.ts', 'web'].includes(folderOf(path)) || path.endsWith('/child.ts')
      ? []
      : [...withoutComments(source).matchAll(/\b(?:console\.\w+|process\.exit)\(/g)].map(([found]) => found),
};

function isBelowRoutes(path: string): boolean {
  const folder = folderOf(path);
  return (
    SERVICES.includes(folder) &&
    !path.includes('/routes/') &&
    path !== `${folder}/${folder}.ts` &&
    !HTTP_EDGES.test(path)
  );
}

/** The codes in a folder's `problems.ts`. */
function codesOf(folder: string, sources: Sources): string[] {
  const source = sources.get(`${folder}/problems.ts`) ?? '';
  return [...source.matchAll(/^ {2}(\w+): \{/gm)].map(([, code]) => code ?? '');
}

/** The tables that each folder's `tables.ts` declares. */
function tablesByFolder(sources: Sources): Map<string, string[]> {
  return new Map(
    [...sources]
      .filter(([path]) => /^\w+\/tables\.ts$/.test(path))
      .map(([path, source]) => [
        folderOf(path),
        [...(/interface Tables \{([^}]*)\}/.exec(source)?.[1] ?? '').matchAll(/^\s*(\w+):/gm)].map(
          ([, name]) => name ?? '',
        ),
      ]),
  );
}

function violations(rule: Rule, sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) =>
    rule(path, source, sources).map((found) => `${path}: ${found}`),
  );
}

describe('the sources follow the rules', async () => {
  const sources = await readSources();

  test.each(Object.entries(RULES))('%s', (_, rule) => {
    expect(violations(rule, sources)).toEqual([]);
  });

  test('no files import each other in a cycle, types included', () => {
    expect(cyclesOf(sources)).toEqual([]);
  });

  test('each file of the kernel has several users, or one that is no service', () => {
    expect(kernelFilesOfOneService(sources)).toEqual([]);
  });

  test('a file of the kernel that only one service uses is found', () => {
    const used = new Map([
      ['kernel/a.ts', `import { b } from './b.ts';`],
      ['kernel/b.ts', ''],
      ['mail/a.ts', `import { a } from '../kernel/a.ts';`],
      ['chat/a.ts', `import { c } from '../kernel/c.ts';`],
      ['kernel/c.ts', ''],
      ['mail/c.ts', `import { c } from '../kernel/c.ts';`],
    ]);
    expect(kernelFilesOfOneService(used)).toEqual(['kernel/a.ts', 'kernel/b.ts']);
  });

  test('a cycle is found', () => {
    const cycle = new Map([
      ['a.ts', `import type { B } from './b.ts';`],
      ['b.ts', `import { c } from './c.ts';`],
      ['c.ts', `import './a.ts';`],
      ['d.ts', `import './a.ts';`],
    ]);
    expect(cyclesOf(cycle)).toEqual([['a.ts', 'b.ts', 'c.ts']]);
  });

  test('imports of the program are dependencies, not devDependencies', async () => {
    const { dependencies } = (await Bun.file(join(import.meta.dir, '../package.json')).json()) as {
      dependencies: Record<string, string>;
    };
    const packages = [...sources]
      .flatMap(([path, source]) => importsOf(path, source))
      .flatMap((name) => /^(?:@[\w-]+\/)?[\w-]+(?=\/|$)/.exec(name)?.[0] ?? []);
    const own = ['kernel', 'node', 'bun', ...[...sources.keys()].map(folderOf)];
    const missing = new Set(packages.filter((name) => !(name in dependencies) && !own.includes(name)));
    expect([...missing]).toEqual([]);
    expect(packages).toContain('tus-js-client');
  });

  test('the sources and tables are found', () => {
    expect(sources.size).toBeGreaterThan(50);
    expect([...tablesByFolder(sources).values()].flat()).toContain('outbox');
  });
});

test('the tests that start a browser are those in test/browser', async () => {
  const sources = await readFiles(join(import.meta.dir, '..'), '{src,test}/**/*.{ts,tsx}');
  const reach = reachOf(sources);
  const startBrowsers = [...sources.keys()].filter(
    (path) => path.includes('.test.') && reach.get(path)?.has('test/harness/launch-chromium.ts'),
  );
  expect(startBrowsers).toEqual([...sources.keys()].filter((path) => path.startsWith('test/browser/')));
  expect(startBrowsers.length).toBeGreaterThan(10);
});

/** Violations of each rule, to test that it detects them. */
const OFFENCES: [rule: keyof typeof RULES, path: string, source: string][] = [
  ['kernel and config import no service', 'kernel/x.ts', `import { files } from '../storage/files.ts';`],
  ['kernel and config import no service', 'config/x.ts', `import type { A } from '../server.ts';`],
  [
    'a service imports only itself, the kernel, types of the configuration and the guard',
    'storage/routes/x.ts',
    `import { a } from '../../identity/accounts.ts';`,
  ],
  [
    'a service imports only itself, the kernel, types of the configuration and the guard',
    'chat/x.ts',
    `const a = await import('../mail/mail.ts');`,
  ],
  [
    'a service does not read the configuration',
    'mail/x.ts',
    `import { shapeConfig } from '../config/config.ts';`,
  ],
  ['common functions import nothing', 'text/x.ts', `import { a } from '../kernel/x.ts';`],
  [
    'the browser app and the client reach the server over HTTP only',
    'web/x.tsx',
    `import type { A } from '../storage/files.ts';`,
  ],
  [
    'the browser app and the client reach the server over HTTP only',
    'web/x.tsx',
    `import { withRetries } from '../client/retry.ts';`,
  ],
  [
    'the browser app and the client reach the server over HTTP only',
    'client/x.ts',
    `import { posthouse } from '../web/api/posthouse.ts';`,
  ],
  [
    'the browser app sends requests through the client alone',
    'web/x.ts',
    `const answer = await fetch('/api/me');`,
  ],
  ['only the composition root imports the browser app', 'storage/x.ts', `import { a } from '../web/api.ts';`],
  ['only config reads the environment', 'mail/x.ts', 'const a = process.env.HOME;'],
  ['routes contain no SQL', 'chat/routes/x.ts', `import { sql } from 'kysely';`],
  ['routes contain no SQL', 'chat/routes/x.ts', `await database.read.selectFrom('outbox').execute();`],
  [
    'routes receive members from their endpoints',
    'storage/routes/x.ts',
    `const a = memberOf('a', 'viewer');`,
  ],
  ['the kernel does not name what a service is about', 'kernel/x.ts', `const url = '/public/file';`],
  ['the kernel does not name what a service is about', 'kernel/x.ts', 'const discord = 1;'],
  [
    'outside routes nothing imports HTTP',
    'chat/x.ts',
    `import type { Ctx } from '../kernel/http/context.ts';`,
  ],
  ['outside routes nothing imports HTTP', 'chat/x.ts', `import { getCookie } from 'hono/cookie';`],
  ['outside routes nothing answers requests', 'storage/tree/x.ts', 'return Response.json({});'],
  ['outside routes nothing answers requests', 'mail/x.ts', 'new Response(null, { status: 404 });'],
  ['outside routes nothing answers requests', 'mail/x.ts', `const type = c.req.header('Accept');`],
  [
    'a service reports its own problems and those of the kernel',
    'chat/x.ts',
    `throw new Problem('folder_cycle', 'x');`,
  ],
  ['a table is used by the service that declares it alone', 'chat/x.ts', `trx.selectFrom('folders as f')`],
  ['a table is used by the service that declares it alone', 'chat/x.ts', `trx.selectFrom(['folders'])`],
  ['a table is used by the service that declares it alone', 'chat/x.ts', `deleteOld(database, 'folders')`],
  ['only commands and child processes print and end the process', 'chat/x.ts', 'console.log(1);'],
];

/** Returns the files that each file imports, directly or through others. */
function reachOf(sources: Sources): Map<string, Set<string>> {
  const edges = new Map(
    [...sources].map(([path, source]) => [path, importsOf(path, source).filter((name) => sources.has(name))]),
  );
  const reachable = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(edges.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(edges.get(next) ?? []));
    }
    return seen;
  };
  return new Map([...sources.keys()].map((path) => [path, reachable(path)]));
}

/** Groups of files that reach themselves by their imports, each sorted. */
function cyclesOf(sources: Sources): string[][] {
  const reach = reachOf(sources);
  const groups = [...reach]
    .filter(([path, seen]) => seen.has(path))
    .map(([path, seen]) => [...seen].filter((other) => reach.get(other)?.has(path)).toSorted());
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

/** Files of the kernel that one service alone imports, directly or through the kernel: they belong to that service. */
function kernelFilesOfOneService(sources: Sources): string[] {
  const isInKernel = (path: string) => folderOf(path) === 'kernel';
  const reach = reachOf(new Map([...sources].filter(([path]) => isInKernel(path))));
  const users = new Map<string, Set<string>>();
  for (const [path, source] of sources) {
    if (isInKernel(path)) continue;
    for (const name of importsOf(path, source).filter(isInKernel))
      for (const used of [name, ...(reach.get(name) ?? [])])
        users.set(used, (users.get(used) ?? new Set()).add(folderOf(path)));
  }
  return [...users].flatMap(([path, [first = '', second]]) =>
    SERVICES.includes(first) && second === undefined ? [path] : [],
  );
}

describe('each rule finds an offence', () => {
  const tables = ['storage/tables.ts', 'interface Tables {\n  folders: FoldersTable;\n}'] as const;
  test.each(OFFENCES)('%s: %s', (rule, path, source) => {
    expect(violations(RULES[rule] ?? (() => []), new Map([tables, [path, source]]))).toHaveLength(1);
  });
  test('every rule is tested', () => {
    expect(Object.keys(RULES).filter((rule) => !OFFENCES.some(([offended]) => offended === rule))).toEqual(
      [],
    );
  });
});
