import { beforeAll, describe, expect, test } from 'bun:test';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';

describe('the web app is served', () => {
  let posthouse: Posthouse;
  let shell: Response;
  let html: string;
  beforeAll(async () => {
    posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    shell = await posthouse.fetch('/');
    html = await shell.text();
  });
  const firstScript = () => /type="module" src="([^"]+)"/.exec(html)?.[1] ?? '';

  test('every page address returns the same shell, which is never cached', async () => {
    expect(shell.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(shell.headers.get('Cache-Control')).toBe('no-store');
    for (const path of ['/files', '/files/some-folder', '/admin/chat', '/admin/mail/clients', '/account']) {
      expect(await (await posthouse.fetch(path)).text()).toBe(html);
    }
    expect((await posthouse.fetch('/', { method: 'HEAD' })).status).toBe(200);
  });

  test('the policy allows only scripts of this origin', () => {
    const policy = shell.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
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
    const names = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.js)"/g)].map(([, name]) => name ?? '');
    const sizes = await Promise.all(
      names.map(async (name) => {
        const answer = await posthouse.fetch(name, {
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
    const build = async (...limit: string[]) => {
      const child = Bun.spawn([process.execPath, 'src/web/build.ts', freshDirectory(), ...limit], {
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [output, error] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
      ]);
      return { output, error, status: await child.exited };
    };
    const allowed = await build();
    expect([allowed.status, allowed.error]).toEqual([0, '']);
    const printed = /([\d.]+) kB {2}of script for the first page, gzip; 250\.0 kB are allowed/.exec(
      allowed.output,
    )?.[1];
    expect(Number(printed)).toBeGreaterThan(100);
    expect(Number(printed)).toBeLessThan(250);
    const refused = await build('100000');
    expect([refused.status, refused.error]).toEqual([
      1,
      `The first page loads ${printed} kB of script; 100.0 kB are allowed.\n`,
    ]);
  });

  test.each([
    '/assets/nothing.js',
    '/assets/manifest.json',
    '/assets/..%2fmanifest.json',
    '/assets/constructor',
  ])('%s is not there', async (path) => {
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
