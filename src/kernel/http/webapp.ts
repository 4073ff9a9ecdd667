import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { DAY } from '../clock.ts';
import { newId } from '../ids.ts';
import { describeError, type Log } from '../log.ts';
import type { App, Ctx } from './context.ts';
import { notFound, Problem } from './problem.ts';

const SOURCE = join(import.meta.dir, '../../web');
const LOCK_FILES = ['package.json', 'package-lock.json'].map((name) => join(import.meta.dir, '../../..', name));

/** Addresses that the app itself reads, in the browser. */
const PAGES = ['/', '/files', '/files/*', '/admin/*', '/account'];
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "connect-src 'self'; font-src 'self'; frame-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const FOREVER = 'public, max-age=31536000, immutable';
const LOWEST_PRIORITY = 19;
/** A tab that was opened before an update may still ask the other nodes for the old files. */
const OLD_BUILDS_KEPT_MS = 7 * DAY;

/** What `src/web/build.ts` leaves beside the files that it made. */
export interface WebManifest {
  /** The page that every address of the app answers with. */
  shell: string;
  /** By file name; the compressed ones lie beside with `.gz` and `.br`. */
  assets: Record<string, { type: string; compressed: boolean }>;
}

interface Build {
  directory: string;
  manifest: WebManifest;
}

/** Serves the browser app: one page for its addresses, and hashed files that browsers keep. */
export interface WebApp {
  mount(app: App): void;
  /** Ends a build that is under way. */
  stop(): Promise<void>;
}

/** @param directory where builds are kept; one that is missing is made in the background, and pages wait for it */
export function createWebApp({ directory, log }: { directory: string; log: Log }): WebApp {
  const stopping = new AbortController();
  let building = prepare();
  // Whoever asks for a page gets the failure; unasked, it is in the log.
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
      if (!stopping.signal.aborted) log.error({ error: describeError(error) }, 'the web app could not be built');
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
      for (const path of PAGES) app.get(path, async () => page(await built()));
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
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    },
  });
}

function asset(c: Ctx, { directory, manifest }: Build): Response {
  const name = c.req.param('name') ?? '';
  const facts = Object.hasOwn(manifest.assets, name) ? manifest.assets[name] : undefined;
  if (!facts) throw notFound();
  const accepted = facts.compressed ? (c.req.header('Accept-Encoding') ?? '') : '';
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
  const etag = `"${name}${encoding ? `-${encoding}` : ''}"`;
  const headers: Record<string, string> = { 'Cache-Control': FOREVER, ETag: etag, Vary: 'Accept-Encoding' };
  if (c.req.header('If-None-Match')?.includes(etag)) return new Response(null, { status: 304, headers });
  const extension = encoding === 'gzip' ? '.gz' : encoding === 'br' ? '.br' : '';
  if (encoding) headers['Content-Encoding'] = encoding;
  const file = Bun.file(join(directory, `${name}${extension}`));
  return new Response(file, { headers: { ...headers, 'Content-Type': facts.type, 'Content-Length': String(file.size) } });
}

/** Stands for everything that a build is made of. */
function sourceHash(): string {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version);
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of [...names.map((name) => join(SOURCE, name)), ...LOCK_FILES]) {
    if (existsSync(file) && statSync(file).isFile()) hash.update(`\n${file.slice(SOURCE.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 24);
}

/** Builds in a process of its own, behind everything else, and puts the result in place whole. */
async function buildInto(target: string, signal: AbortSignal): Promise<void> {
  const temporary = `${target}.${newId()}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const child = Bun.spawn([process.execPath, join(SOURCE, 'build.ts'), temporary], { env: {}, stdout: 'pipe', stderr: 'pipe', signal });
    try {
      setPriority(child.pid, LOWEST_PRIORITY);
    } catch {
      // It may have ended already, or the system does not allow it: the build is only less polite then.
    }
    const [said, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (status !== 0) throw new Error(`the build ended with status ${status}: ${said.slice(0, 2_000)}`);
    putInPlace(temporary, target);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function putInPlace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    // Another process was faster with the same.
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
