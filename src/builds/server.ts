import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Bundles the program into the directory that is its argument: `main.js`, `server.js` for tests, the programs of its
 * child processes, and the parts that they share.
 */

const SOURCES = join(import.meta.dir, '..');

/** Programs that are started by `programFile`. */
const PROGRAMS = [
  'processes/child',
  'doctor/confinement/child',
  'kernel/crypto/argon2id-child',
  'kernel/database/sqlite/checkpoint-child',
  'kernel/database/sqlite/reader-child',
  'mail/compose/rendering/child',
  'mail/routes/admin/opened-mail/child',
  'mail/routes/email-body/child',
  'storage/delivery/renditions/child',
  'storage/delivery/renditions/media/child',
  'storage/intake/hashing/thread',
];

/** Packages that are loaded from `node_modules` at their first use: large ones, and those that read their own files. */
const ON_DEMAND = [
  '@discordjs/rest',
  '@hyzyla/pdfium',
  '@tus/server',
  'file-type',
  'grammy',
  'html-to-text',
  'libheif-js',
  'liquidjs',
  'maxmind',
  'mediabunny',
  'mrml',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'pg',
  'postal-mime',
  'sharp',
];

const [directory = ''] = process.argv.slice(2);
const { outputs } = await Bun.build({
  entrypoints: ['main', 'server', ...PROGRAMS].map((name) => join(SOURCES, `${name}.ts`)),
  root: SOURCES,
  outdir: directory,
  target: 'bun',
  splitting: true,
  naming: { entry: '[dir]/[name].[ext]', chunk: '[name]-[hash].[ext]' },
  external: ON_DEMAND.flatMap((name) => [name, `${name}/*`]),
  // Names are kept, for stack traces.
  minify: { whitespace: true, syntax: true },
  sourcemap: 'linked',
});
// Stack traces need positions only, and the package contains the sources.
for (const { kind, path } of outputs)
  if (kind === 'sourcemap') {
    const map = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...map, sourcesContent: map.sources.map(() => '') }));
  }
