import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BuildMetafile, BunPlugin } from 'bun';
import { LANGUAGES, type Language } from '../kernel/language.ts';
import {
  PAGE_MODULES,
  type PageModule,
  PUBLIC_SCRIPTS,
  type PublicScript,
  type WebManifest,
} from '../site/web-manifest.ts';
import { APP_ICONS, appManifest } from './app-manifest.ts';
import { addFile, type Target, writeAssets } from './build-assets.ts';
import { addPdfFiles } from './build-pdf.ts';
import { checkStyles } from './build-styles.ts';
import { GROUND } from './ground.ts';

const TEXT_WORKER = 'pages/files/preview/text-worker.ts';
const ENTRIES = ['main.tsx', 'scheme.ts', ...PUBLIC_SCRIPTS.map((name) => `shared-file/${name}.ts`)];
const SERVICE_WORKER = 'service-worker/service-worker.ts';
/** Maximum size of the scripts of the first page, in bytes, gzip. */
const FIRST_PAGE_LIMIT = Number(process.argv[3] ?? 250_000);

const NO_SCRIPT: Readonly<Record<Language, string>> = {
  en: 'The web app requires JavaScript. The HTTP API is documented at <a href="/docs">/docs</a>.',
  de: 'Die Web-App benötigt JavaScript. Die HTTP-API ist unter <a href="/docs">/docs</a> beschrieben.',
};

const OPTIONS = {
  minify: true,
  target: 'browser',
  naming: '[name]-[hash].[ext]',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const;

// Without a directory, the build only prints the sizes.
const directory = process.argv[2] || null;
const firstPage = await build(directory);
if (firstPage > FIRST_PAGE_LIMIT) {
  process.stderr.write(
    `The first page loads ${kilobytes(firstPage)} of script; ${kilobytes(FIRST_PAGE_LIMIT)} are allowed.\n`,
  );
  process.exit(1);
}

/**
 * Bundles the app into `directory`, once for each language, with their manifest, and prints the sizes. Returns the
 * compressed size of the scripts of the first page in the longest language.
 * @param directory null = nothing is written
 */
async function build(directory: string | null): Promise<number> {
  const shells: Partial<WebManifest['shells']> = {};
  const publicScripts: Partial<WebManifest['publicScripts']> = {};
  const assets: WebManifest['assets'] = {};
  const target = { directory, assets };
  const common = {
    textWorker: await buildWorker(TEXT_WORKER, target),
    icons: addIcons(target),
  };
  addPdfFiles(target);
  let longest = 0;
  for (const language of LANGUAGES) {
    const { pages, scripts, firstPage } = await buildIn(language, target, common);
    shells[language] = pages;
    publicScripts[language] = scripts;
    longest = Math.max(longest, firstPage);
  }
  const serviceWorker = await buildWorker(SERVICE_WORKER, target);
  if (directory !== null) {
    const manifest = JSON.stringify({ shells, publicScripts, serviceWorker, assets });
    writeFileSync(join(directory, 'manifest.json'), manifest);
  }
  return longest;
}

/** Assets that all languages share. */
interface Common {
  textWorker: string;
  /** Asset names by source name. */
  icons: Map<string, string>;
}

/** Adds the app in one language. */
async function buildIn(
  language: Language,
  target: Target,
  { textWorker, icons }: Common,
): Promise<{ pages: Record<PageModule, string>; scripts: Record<PublicScript, string>; firstPage: number }> {
  const { outputs, metafile } = await Bun.build({
    entrypoints: ENTRIES.map((name) => join(import.meta.dir, name)),
    ...OPTIONS,
    define: { ...OPTIONS.define, TEXT_WORKER: JSON.stringify(`/assets/${textWorker}`) },
    splitting: true,
    metafile: true,
    plugins: [translation(language)],
  });
  if (!metafile) throw new Error('the build has no metafile');
  checkStyles(metafile);
  const sizes = await writeAssets(outputs, target);
  const names = [...sizes.keys()];
  const find = (start: string, end: string) =>
    names.find((name) => name.startsWith(start) && name.endsWith(end)) ?? '';
  const main = find('main-', '.js');
  // The page that people see first after sign-in.
  const firstPage = scriptsOf('home', main, metafile);
  const total = firstPage.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0);
  process.stdout.write(`In ${language}:\n`);
  printSizes(sizes, firstPage, total);
  const common = {
    language,
    main,
    scheme: find('scheme-', '.js'),
    style: find('main-', '.css'),
    icon: icons.get('icon.svg') ?? '',
    touchIcon: icons.get('apple-180.png') ?? '',
    manifest: addFile('app.webmanifest', appManifest(language, icons), target),
  };
  const page = (module: PageModule) => shell({ ...common, scripts: scriptsOf(module, main, metafile) });
  return {
    pages: {
      home: page('home'),
      storage: page('storage'),
      administration: page('administration'),
      account: page('account'),
    },
    scripts: { 'shared-pdf': find('shared-pdf-', '.js'), 'shared-text': find('shared-text-', '.js') },
    firstPage: total,
  };
}

/** Adds a worker that shares no script with the pages, whose scripts may need a document. Returns its name. */
async function buildWorker(entry: string, target: Target): Promise<string> {
  const { outputs } = await Bun.build({ ...OPTIONS, entrypoints: [join(import.meta.dir, entry)] });
  const [[name, size] = ['', 0]] = await writeAssets(outputs, target);
  process.stdout.write(`${kilobytes(size).padStart(10)}  ${name}\n`);
  return name;
}

/** Adds the icons. Returns their asset names by source name. */
function addIcons(target: Target): Map<string, string> {
  const directory = join(import.meta.dir, 'icons');
  return new Map(APP_ICONS.map((name) => [name, addFile(name, readFileSync(join(directory, name)), target)]));
}

/** Replaces the modules of texts (`texts.ts`) by their translations (`texts.de.ts`). */
function translation(language: Language): BunPlugin {
  return {
    name: 'translation',
    setup(build) {
      build.onResolve({ filter: /\/(?:texts|language)\.ts$/ }, ({ path, importer }) => {
        const original = join(dirname(importer), path);
        const translated = original.replace(/\.ts$/, `.${language}.ts`);
        return { path: existsSync(translated) ? translated : original };
      });
    },
  };
}

function printSizes(sizes: ReadonlyMap<string, number>, firstPage: readonly string[], total: number): void {
  for (const [name, size] of [...sizes].sort(([, a], [, b]) => b - a)) {
    process.stdout.write(
      `${kilobytes(size).padStart(10)}  ${name}${firstPage.includes(name) ? '  (first page)' : ''}\n`,
    );
  }
  process.stdout.write(
    `${kilobytes(total).padStart(10)}  of script for the first page, gzip; ` +
      `${kilobytes(FIRST_PAGE_LIMIT)} are allowed\n`,
  );
}

/** Returns the name of the script of an entry module. */
function chunkOf(source: string, { outputs }: BuildMetafile): string {
  const path = Object.keys(outputs).find((path) => outputs[path]?.entryPoint?.endsWith(source));
  if (!path) throw new Error(`${source} has no script`);
  return basename(path);
}

/** Returns the scripts that a browser loads before a page is shown: the app, the page, and their imports. */
function scriptsOf(page: PageModule, main: string, metafile: BuildMetafile): string[] {
  const byName = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const loaded = new Set<string>();
  const visit = (name: string) => {
    if (loaded.has(name) || !name.endsWith('.js')) return;
    loaded.add(name);
    for (const { path, kind } of byName.get(name)?.imports ?? [])
      if (kind === 'import-statement') visit(basename(path));
  };
  visit(main);
  visit(chunkOf(PAGE_MODULES[page], metafile));
  return [...loaded];
}

function shell(names: {
  language: Language;
  main: string;
  /** Loaded before the page is shown. */
  scripts: string[];
  scheme: string;
  style: string;
  icon: string;
  touchIcon: string;
  manifest: string;
}): string {
  const preloads = names.scripts.map(
    (name) => `<link rel="modulepreload" href="/assets/${name}" fetchpriority="low">`,
  );
  return `<!doctype html>
<html lang="${names.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Posthouse</title>
<meta name="theme-color" content="${GROUND.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${GROUND.dark}" media="(prefers-color-scheme: dark)">
<link rel="icon" type="image/svg+xml" href="/assets/${names.icon}">
<link rel="apple-touch-icon" href="/assets/${names.touchIcon}">
<link rel="manifest" href="/assets/${names.manifest}">
<script src="/assets/${names.scheme}"></script>
<link rel="stylesheet" href="/assets/${names.style}">
${preloads.join('\n')}
<script type="module" src="/assets/${names.main}"></script>
</head>
<body>
<div id="root">
<p class="starting"><img src="/assets/${names.icon}" width="28" height="28" alt=""> Posthouse</p>
</div>
<noscript>${NO_SCRIPT[names.language]}</noscript>
</body>
</html>
`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
