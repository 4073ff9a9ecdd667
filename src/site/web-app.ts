import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../kernel/clock.ts';
import { chooseCoding } from '../kernel/http/coding.ts';
import type { App, Ctx } from '../kernel/http/context.ts';
import { withLength } from '../kernel/http/head.ts';
import { HTML } from '../kernel/http/page.ts';
import { newId } from '../kernel/ids.ts';
import { describeError, type Log } from '../kernel/log.ts';
import { notFound, Problem } from '../kernel/problem.ts';
import type { WebManifest } from './web-manifest.ts';

const SOURCE = join(import.meta.dir, '../web');
const LOCK_FILES = ['package.json', 'package-lock.json'].map((name) => join(import.meta.dir, '../..', name));

/** Paths that the app handles in the browser. */
const PAGES = ['/', '/files', '/files/*', '/admin/*', '/account'];
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
const IMMUTABLE = 'public, max-age=31536000, immutable';
const LOWEST_PRIORITY = 19;
/** A tab that was opened before an update can still request old files, also from other nodes. */
const OLD_BUILDS_KEPT_MS = 7 * DAY;

interface Build {
  directory: string;
  manifest: WebManifest;
}

/** Serves the web app: one page for all its paths, and hashed files that browsers cache. */
export interface WebApp {
  mount(app: App): void;
  /** Aborts a running build. */
  stop(): Promise<void>;
}

/** @param directory of the builds; a missing build is created in the background, and pages wait for it */
export function createWebApp({ directory, log }: { directory: string; log: Log }): WebApp {
  const stopping = new AbortController();
  let building = prepare();
  // A failure is logged, and returned to requests for a page.
  building.catch(() => {});

  async function prepare(): Promise<Build> {
    const target = join(directory, sourceHash());
    try {
      if (!existsSync(join(target, 'manifest.json'))) await buildInto(target, stopping.signal);
      utimesSync(target, new Date(), new Date());
      const manifest = JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8')) as WebManifest;
      removeOldBuilds(directory, target);
      return { directory: target, manifest };
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ error: describeError(error) }, 'cannot build the web app');
      throw error;
    }
  }

  async function built(): Promise<Build> {
    try {
      return await building;
    } catch (cause) {
      building = prepare();
      building.catch(() => {});
      throw new Problem('not_ready', 'The web app could not be built. The log has the reason.', { cause });
    }
  }

  return {
    mount(app) {
      for (const path of PAGES) app.get(path, async (c) => await withLength(c, page(await built())));
      app.get('/assets/:name', async (c) => asset(c, await built()));
    },
    async stop() {
      stopping.abort();
      await building.catch(() => {});
    },
  };
}

function page({ manifest }: Build): Response {
  return new Response(manifest.shell, {
    headers: {
      'Content-Type': HTML,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    },
  });
}

const EXTENSIONS = { br: '.br', gzip: '.gz' } as const;

function asset(c: Ctx, { directory, manifest }: Build): Response {
  const name = c.req.param('name') ?? '';
  const facts = Object.hasOwn(manifest.assets, name) ? manifest.assets[name] : undefined;
  if (!facts) throw notFound();
  const encoding = facts.compressed ? chooseCoding(c.req.header('Accept-Encoding'), ['br', 'gzip']) : null;
  const etag = `"${name}${encoding ? `-${encoding}` : ''}"`;
  const headers: Record<string, string> = { 'Cache-Control': IMMUTABLE, ETag: etag, Vary: 'Accept-Encoding' };
  if (c.req.header('If-None-Match')?.includes(etag)) return new Response(null, { status: 304, headers });
  if (encoding) headers['Content-Encoding'] = encoding;
  const file = Bun.file(join(directory, name + (encoding ? EXTENSIONS[encoding] : '')));
  return new Response(file, {
    headers: { ...headers, 'Content-Type': facts.type, 'Content-Length': String(file.size) },
  });
}

/** Returns a hash of all sources of a build. */
function sourceHash(): string {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version);
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of [...names.map((name) => join(SOURCE, name)), ...LOCK_FILES]) {
    if (existsSync(file) && statSync(file).isFile())
      hash.update(`\n${file.slice(SOURCE.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 24);
}

/** Builds in a child process of the lowest priority, and renames the complete result to `target`. */
async function buildInto(target: string, signal: AbortSignal): Promise<void> {
  const temporary = `${target}.${newId()}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const child = Bun.spawn([process.execPath, join(SOURCE, 'build.ts'), temporary], {
      env: {},
      stdout: 'pipe',
      stderr: 'pipe',
      signal,
    });
    try {
      setPriority(child.pid, LOWEST_PRIORITY);
    } catch {
      // The process has ended, or the system does not allow it: the build keeps the normal priority.
    }
    const [output, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (status !== 0) throw new Error(`the build ended with status ${status}: ${output.slice(0, 2_000)}`);
    moveIntoPlace(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function moveIntoPlace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    // Another process has completed the same build.
    if (!existsSync(join(target, 'manifest.json'))) throw error;
  }
}

function removeOldBuilds(directory: string, current: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (path === current || Date.now() - statSync(path).mtimeMs < OLD_BUILDS_KEPT_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
