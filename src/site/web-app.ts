import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentBuild, removeOldBuilds } from '../builds/make.ts';
import { WEB } from '../builds/products.ts';
import { type Coding, chooseCoding } from '../kernel/http/coding.ts';
import type { App, Ctx } from '../kernel/http/context.ts';
import { withLength } from '../kernel/http/head.ts';
import { languageOf } from '../kernel/http/language.ts';
import { HTML } from '../kernel/http/pages/page.ts';
import type { Language } from '../kernel/language.ts';
import type { Log } from '../kernel/log.ts';
import { notFound, Problem } from '../kernel/problem.ts';
import { type PageModule, PUBLIC_SCRIPTS, type PublicScript, type WebManifest } from './web-manifest.ts';

/** Path to which other apps share files; the service worker stores them. */
const SHARE = '/share';
/** Paths that the app handles in the browser, with the modules of their pages. */
const PAGES: Readonly<Record<string, PageModule>> = {
  '/': 'home',
  '/files': 'storage',
  '/files/*': 'storage',
  '/timeline': 'storage',
  '/timeline/*': 'storage',
  '/admin/*': 'administration',
  '/account': 'account',
  [SHARE]: 'storage',
};
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Applies to workers, which do not inherit the policy of the page. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface Build {
  directory: string;
  manifest: WebManifest;
}

/** Serves the web app: one page for all its paths, and hashed files that browsers cache. */
export interface WebApp {
  mount(app: App): void;
  /**
   * Prepares the build. Call it after the start of the server, which it would delay. Requests for pages wait for it.
   */
  start(): void;
  /** Aborts a running build. */
  stop(): Promise<void>;
}

interface WebAppDeps {
  /** Directory of the build that is made at run time if none was installed. */
  directory: string;
  /** Returns the page for visitors without a session; null = the app is shown. */
  visitorPage(c: Ctx): Promise<Response> | null;
  log: Log;
  makeBuild?: typeof currentBuild;
}

export function createWebApp(deps: WebAppDeps): WebApp {
  const { directory, visitorPage, log, makeBuild = currentBuild } = deps;
  const stopping = new AbortController();
  let building: Promise<Build> | null = null;

  function started(): Promise<Build> {
    if (building) return building;
    building = prepare();
    // The failure is also returned to requests for a page.
    building.catch((error) => {
      if (!stopping.signal.aborted) log.error({ error }, 'cannot build the web app');
    });
    return building;
  }

  async function prepare(): Promise<Build> {
    const current = await makeBuild(WEB, { directory, signal: stopping.signal });
    const manifest = JSON.parse(readFileSync(join(current, 'manifest.json'), 'utf8')) as WebManifest;
    removeOldBuilds(directory, current);
    return { directory: current, manifest };
  }

  function restart(attempt: Promise<Build>): void {
    if (building === attempt) building = null;
    void started();
  }

  async function built(): Promise<Build> {
    const attempt = started();
    const build = await attempt.catch((cause) => {
      restart(attempt);
      throw new Problem('not_ready', 'The web app could not be built. The log has the reason.', { cause });
    });
    if (existsSync(build.directory)) return build;
    // The installation of another version removes the builds of this one.
    restart(attempt);
    return await built();
  }

  return {
    mount(app) {
      for (const [path, module] of Object.entries(PAGES))
        app.get(path, async (c) =>
          withLength(c, (await visitorPage(c)) ?? page(module, languageOf(c), await built())),
        );
      for (const name of PUBLIC_SCRIPTS)
        app.get(`/assets/${name}.js`, async (c) => publicScript(name, c, await built()));
      app.get('/assets/*', async (c) => asset(c.req.path.slice('/assets/'.length), c, await built()));
      app.get('/service-worker.js', async (c) => serviceWorker(c, await built()));
      // Without a service worker, the page explains sharing. The body is not read.
      app.post(SHARE, (c) => c.redirect(SHARE, 303));
    },
    start: () => void started(),
    async stop() {
      stopping.abort();
      await building?.catch(() => {});
    },
  };
}

function page(module: PageModule, language: Language, { manifest }: Build): Response {
  return new Response(manifest.shells[language][module], {
    headers: {
      'Content-Type': HTML,
      'Content-Language': language,
      Vary: 'Accept-Language, Cookie',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      Link: ACCOUNT,
    },
  });
}

/** Preloads the first request of the app. The attributes must be those of the request. */
const ACCOUNT = '</api/me>; rel=preload; as=fetch; crossorigin';
const EXTENSIONS: Readonly<Record<Coding, string>> = { zstd: '.zst', br: '.br', gzip: '.gz' };

/** Responds with the service worker. Browsers compare its bytes with those of the installed one. */
function serviceWorker(c: Ctx, build: Build): Response {
  const response = asset(build.manifest.serviceWorker, c, build);
  response.headers.set('Cache-Control', 'no-cache');
  // This policy applies to the requests of the worker.
  response.headers.set('Content-Security-Policy', "default-src 'none'; connect-src 'self'");
  return response;
}

/** Responds with a script of public pages, at a path without a hash: these pages are rendered without the build. */
function publicScript(name: PublicScript, c: Ctx, build: Build): Response {
  const response = asset(build.manifest.publicScripts[languageOf(c)][name], c, build);
  response.headers.set('Cache-Control', 'no-cache');
  response.headers.append('Vary', 'Accept-Language, Cookie');
  return response;
}

function asset(name: string, c: Ctx, { directory, manifest }: Build): Response {
  const facts = Object.hasOwn(manifest.assets, name) ? manifest.assets[name] : undefined;
  if (!facts) throw notFound();
  const encoding = facts.compressed ? chooseCoding(c.req.header('Accept-Encoding')) : null;
  const etag = `"${name}${encoding ? `-${encoding}` : ''}"`;
  const headers: Record<string, string> = { 'Cache-Control': IMMUTABLE, ETag: etag, Vary: 'Accept-Encoding' };
  if (c.req.header('If-None-Match')?.includes(etag)) return new Response(null, { status: 304, headers });
  if (encoding) headers['Content-Encoding'] = encoding;
  const file = Bun.file(join(directory, name + (encoding ? EXTENSIONS[encoding] : '')));
  return new Response(file, {
    headers: {
      ...headers,
      'Content-Type': facts.type,
      'Content-Length': String(file.size),
      'Content-Security-Policy': WORKER_POLICY,
    },
  });
}
