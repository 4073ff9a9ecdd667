import { beforeAll, describe, expect, test } from 'bun:test';
import { isAppPage } from '../src/web/service-worker/app-pages.ts';
import { freshSettings } from './harness/backends.ts';
import { signIn } from './harness/browser.ts';
import { postJson, sendJson } from './harness/json.ts';
import { addAdmin, addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe('the web app is served', () => {
  let posthouse: Posthouse;
  let shell: Response;
  let html: string;
  /** The value is not checked: the app reports that the session has ended. */
  const session = { Cookie: 'posthouse=any' };
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings());
    shell = await posthouse.fetch('/', { headers: session });
    html = await shell.text();
  });
  const scriptsOf = (page: string) => page.match(/<link rel="modulepreload"[^>]*>/g) ?? [];
  const withoutScripts = (page: string) => page.replace(/<link rel="modulepreload"[^>]*>\n/g, '');
  const firstScript = () => /type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';

  test('visitors without a session get the page with the sign-in, which leads back', async () => {
    const page = await posthouse.fetch('/files/some-folder?details=1', {
      headers: { 'Accept-Language': 'de' },
    });
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    const text = await page.text();
    expect(text).toContain('<h1>Einrichtung abschließen</h1>');
    await addAdmin(posthouse.settings);
    const welcome = await (await posthouse.fetch('/files/some-folder?details=1')).text();
    expect(welcome).toContain('href="/login?returnTo=%2Ffiles%2Fsome-folder%3Fdetails%3D1"');
    expect(welcome).not.toContain('<script');
  });

  test('every page address returns the same shell but for the preloaded scripts, and is never cached', async () => {
    expect(shell.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(shell.headers.get('Cache-Control')).toBe('no-store');
    for (const path of [
      '/files',
      '/files/some-folder',
      '/timeline/some-folder',
      '/admin/chat',
      '/admin/mail/clients',
      '/account',
      '/share',
    ]) {
      const page = await (await posthouse.fetch(path, { headers: session })).text();
      expect(withoutScripts(page)).toBe(withoutScripts(html));
      expect(isAppPage(path)).toBe(true);
    }
    for (const path of ['/login', '/api/me', '/docs', '/public/file/token', '/filesystem'])
      expect(isAppPage(path)).toBe(false);
    expect((await posthouse.fetch('/', { method: 'HEAD', headers: session })).status).toBe(200);
  });

  test('each page address preloads the scripts of its page', async () => {
    const contentOf = async (path: string) => {
      const page = await (await posthouse.fetch(path, { headers: session })).text();
      const addresses = scriptsOf(page).map((link) => /href="([^"]+)"/.exec(link)?.[1] ?? '');
      const scripts = await Promise.all(addresses.map((address) => posthouse.fetch(address)));
      return (await Promise.all(scripts.map((script) => script.text()))).join('\n');
    };
    const [files, account] = [await contentOf('/files/some-folder'), await contentOf('/account')];
    expect([files.includes('files-main'), account.includes('files-main')]).toEqual([true, false]);
    expect([files.includes('/api/account'), account.includes('/api/account')]).toEqual([false, true]);
  });

  test('the policy allows only scripts of this origin', () => {
    const policy = shell.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('the service worker is compared at each visit, and may call only this server', async () => {
    const worker = await posthouse.fetch('/service-worker.js');
    expect(worker.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
    expect(worker.headers.get('Cache-Control')).toBe('no-cache');
    expect(worker.headers.get('Content-Security-Policy')).toBe("default-src 'none'; connect-src 'self'");
    const etag = worker.headers.get('ETag') ?? '';
    const again = await posthouse.fetch('/service-worker.js', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'no-cache']);
  });

  test('the scripts of public pages have one address, and the language of the reader', async () => {
    const scriptIn = async (language: string) => {
      const script = await posthouse.fetch('/assets/shared-pdf.js', {
        headers: { 'Accept-Language': language },
      });
      expect(script.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
      expect(script.headers.get('Cache-Control')).toBe('no-cache');
      expect(script.headers.get('Vary')).toContain('Accept-Language');
      return await script.text();
    };
    expect((await posthouse.fetch('/assets/shared-text.js')).status).toBe(200);
    // Each loads the texts of its language.
    expect(await scriptIn('en')).not.toBe(await scriptIn('de'));
  });

  test('the page is in the language of the browser, or in the one that the person chose', async () => {
    const languageFor = async (headers: Record<string, string>) => {
      const cookies = [session.Cookie, headers.Cookie].filter(Boolean).join('; ');
      const page = await posthouse.fetch('/account', { headers: { ...headers, Cookie: cookies } });
      expect(page.headers.get('Vary')).toContain('Accept-Language');
      const language = /<html lang="(..)">/.exec(await page.text())?.[1];
      expect(page.headers.get('Content-Language')).toBe(language ?? '');
      return language;
    };
    const german = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' };
    expect(await languageFor({})).toBe('en');
    expect(await languageFor(german)).toBe('de');
    expect(await languageFor({ ...german, Cookie: 'posthouse-language=en' })).toBe('en');
    expect(await languageFor({ ...german, Cookie: 'posthouse-language=xx' })).toBe('de');
  });

  test('a problem is in the language of the reader', async () => {
    const problem = async (path: string, language: string, method = 'GET') => {
      const answer = await posthouse.fetch(path, { method, headers: { 'Accept-Language': language } });
      const { title, detail } = (await answer.json()) as { title: string; detail: string };
      return [title, detail];
    };
    expect(await problem('/api/me', 'de')).toEqual(['Anmeldung erforderlich', 'Melden Sie sich an.']);
    const [title] = await problem('/login?returnTo=//example.org', 'en');
    expect(title).toBe('Invalid request');
    const [german, detail] = await problem('/login?returnTo=//example.org', 'de');
    expect(german).toBe('Ungültige Anfrage');
    expect(detail).toMatch(
      /^Die Angaben sind nicht gültig: returnTo: muss ein Pfad auf diesem Server sein und darf höchstens \d+ Zeichen/,
    );
    expect(await problem('/openapi.json', 'de', 'DELETE')).toEqual([
      'Methode nicht erlaubt',
      'Diese Adresse unterstützt nur GET, HEAD, OPTIONS.',
    ]);
  });

  test('the messages of fields are in the language of the reader', async () => {
    const { headers } = await addPerson(posthouse.settings, 'fay@example.org');
    const german = { ...headers, 'Accept-Language': 'de' };
    const answer = await postJson(posthouse, '/api/storage/folders', { name: '' }, german);
    const { detail, errors } = (await answer.json()) as { detail: string; errors: object[] };
    const message = 'muss ein Name sein, nicht leer, „.“ oder „..“';
    expect(errors).toEqual([{ path: 'name', message }]);
    expect(detail).toBe(`Die Angaben sind nicht gültig: name: ${message}`);
  });

  test('a chosen language is set in each browser in which the person signs in', async () => {
    await addPerson(posthouse.settings, 'ann@example.org');
    const ann = await signIn(posthouse, 'ann@example.org');
    const choose = async (language: string | null) => {
      const answer = await sendJson(ann.browser, 'PATCH', '/api/account', { language });
      expect(answer.status).toBe(204);
    };
    const chosen = async () => (await (await ann.browser.fetch('/api/me')).json()) as { language: unknown };
    expect(await chosen()).toMatchObject({ language: null });
    await choose('de');
    expect(await chosen()).toMatchObject({ language: 'de' });
    expect(ann.browser.cookiesFor(posthouse.url)).toContain('posthouse-language=de');
    expect((await signIn(posthouse, 'ann@example.org')).cookie).toContain('posthouse-language=de');
    await choose(null);
    expect(ann.browser.cookiesFor(posthouse.url)).not.toContain('posthouse-language');
    expect((await signIn(posthouse, 'ann@example.org')).cookie).not.toContain('posthouse-language');
  });

  test('hashed files are cached forever and compressed', async () => {
    const identity = await posthouse.fetch(firstScript(), { headers: { 'Accept-Encoding': 'identity' } });
    const plain = await identity.text();
    expect(plain.length).toBeGreaterThan(100_000);
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['zstd', 'zstd'],
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.1', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await posthouse.fetch(firstScript(), { headers: { 'Accept-Encoding': accepted } });
      expect(answer.headers.get('Content-Encoding')).toBe(encoding);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
      expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
      expect(await answer.text()).toBe(plain);
      const again = await posthouse.fetch(firstScript(), {
        headers: { 'Accept-Encoding': accepted, 'If-None-Match': answer.headers.get('ETag') ?? '' },
      });
      expect(again.status).toBe(304);
    }
  });

  test('the first page loads less than 250 kB of script', async () => {
    const names = new Set(
      [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, name]) => name),
    );
    const sizes = await Promise.all(
      [...names].map(async (name) => {
        const answer = await posthouse.fetch(name ?? '', {
          headers: { 'Accept-Encoding': 'gzip' },
          method: 'HEAD',
        });
        return Number(answer.headers.get('Content-Length'));
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(250_000);
  });

  test('the build prints the script size of the first page, and fails above the limit', async () => {
    const child = Bun.spawn([process.execPath, 'src/web/build.ts', '', '100000'], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const sizes = output.matchAll(
      /([\d.]+) kB {2}of script for the first page, gzip; 100\.0 kB are allowed/g,
    );
    // Of the longest language.
    const largest = Math.max(...[...sizes].map(([, size]) => Number(size)));
    expect(largest).toBeGreaterThan(100);
    expect(largest).toBeLessThan(250);
    expect([await child.exited, error]).toEqual([
      1,
      `The first page loads ${largest.toFixed(1)} kB of script; 100.0 kB are allowed.\n`,
    ]);
  });

  test.each([
    '/assets/nothing.js',
    '/assets/manifest.json',
    '/assets/..%2fmanifest.json',
    '/assets/constructor',
  ])('%s is not found', async (path) => {
    expect((await posthouse.fetch(path)).status).toBe(404);
  });

  test('an unknown address is a page for browsers, and a problem for programs', async () => {
    const typeOf = async (path: string, accept: string) => {
      const answer = await posthouse.fetch(path, { headers: { Accept: accept } });
      return [answer.status, answer.headers.get('Content-Type')];
    };
    const browser = 'text/html,*/*;q=0.8';
    expect(await typeOf('/nothing-here', browser)).toEqual([404, 'text/html; charset=utf-8']);
    expect(await typeOf('/nothing-here', '*/*')).toEqual([404, 'application/problem+json']);
    expect(await typeOf('/api/nothing-here', browser)).toEqual([404, 'text/html; charset=utf-8']);
    expect(await typeOf('/api/nothing-here', 'application/json')).toEqual([404, 'application/problem+json']);
  });
});
