import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { fetchCoded } from './harness/coded.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { addPerson, openSession, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const CODINGS = ['zstd', 'br', 'gzip'] as const;

describe('compression', () => {
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let cookie: string;
  let page: Metadata;

  beforeAll(async () => {
    const settings = await freshSettings(BACKENDS[0]);
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
    ({ cookie } = await openSession(posthouse, 'ada@example.org'));
    const files = filesOf(posthouse, headers);
    page = await files.upload(`<!doctype html><p>${'text '.repeat(1_000)}`, { name: 'page.html' });
    await Promise.all(Array.from({ length: 30 }, () => files.upload('one of many')));
    await files.change(page.id, { visibility: 1 });
  });
  afterAll(() => posthouse.stop());

  const get = (path: string, accept?: string, more: RequestInit = {}) =>
    fetchCoded(posthouse.url + path, {
      ...more,
      headers: { 'Accept-Encoding': accept ?? 'identity', ...headers, ...more.headers },
    });

  test.each([
    ['/api/storage/files/root?limit=5', 'application/json'],
    ['/api/storage/files/root', 'application/json'],
    ['/openapi.json', 'application/json'],
    ['/docs', 'text/html'],
    ['/docs/errors', 'text/html'],
  ])('of %s in each coding, with GET and HEAD', async (path, type) => {
    const plain = await get(path);
    expect(plain.coding).toBeNull();
    expect(plain.headers.get('Vary')).toContain('Accept-Encoding');
    for (const coding of CODINGS) {
      const answer = await get(path, coding);
      expect([answer.coding, answer.text === plain.text]).toEqual([coding, true]);
      expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
      expect(answer.headers.get('Content-Type')).toStartWith(type);
      expect(answer.length).toBeLessThan(plain.length);
      expect(Number(answer.headers.get('Content-Length'))).toBe(answer.length);
      const head = await get(path, coding, { method: 'HEAD' });
      for (const name of ['Content-Encoding', 'Content-Length', 'Content-Type', 'Vary'])
        expect([name, head.headers.get(name)]).toEqual([name, answer.headers.get(name)]);
    }
    expect((await get(path, 'br;q=0.1, gzip;q=0.2, zstd;q=0')).coding).toBe('gzip');
  });

  test.each(['/openapi.json', '/docs', '/docs/errors'])(
    'of %s, which is not sent again until it changes',
    async (path) => {
      for (const coding of ['identity', ...CODINGS]) {
        const etag = (await get(path, coding)).headers.get('ETag') ?? '';
        expect(etag).not.toBe('');
        const repeated = await get(path, coding, { headers: { 'If-None-Match': etag } });
        expect([repeated.status, repeated.length, repeated.headers.get('ETag')]).toEqual([304, 0, etag]);
        expect(repeated.headers.get('Vary')).toContain('Accept-Encoding');
        expect((await get(path, coding, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
      }
    },
  );

  test('of errors with many fields, as JSON and as a page', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`odd${i}`, i])));
    const type = { 'Content-Type': 'application/json' };
    const more = { method: 'PATCH', body, headers: type };
    const answer = await get(`/api/storage/files/${page.id}`, 'gzip', more);
    expect([answer.status, answer.coding]).toEqual([400, 'gzip']);
    expect((JSON.parse(answer.text) as { errors: unknown[] }).errors).toHaveLength(40);
    const missing = await get('/nowhere', 'br', { headers: { Accept: 'text/html' } });
    expect([missing.status, missing.coding]).toEqual([404, 'br']);
    expect(missing.text).toContain('Page not found');
    expect(missing.headers.get('Vary')).toMatch(/^Accept, .*, Accept-Encoding$/);
  });

  test('not of short responses', async () => {
    for (const path of ['/api/me', '/Ping', '/nowhere', '/healthz']) {
      const answer = await get(path, 'gzip, br, zstd');
      expect([path, answer.coding]).toEqual([path, null]);
      expect(answer.headers.get('Vary') ?? '').not.toContain('Accept-Encoding');
    }
  });

  test('not of the bytes of files and of ZIP files', async () => {
    for (const path of [
      `/api/storage/files/${page.id}/content`,
      `/api/storage/public/media/${page.directToken}`,
      '/api/storage/export/root',
    ]) {
      const answer = await get(path, 'gzip, br, zstd');
      expect([answer.status, answer.coding]).toEqual([200, null]);
      expect(answer.headers.get('ETag')).toStartWith('"');
      expect(answer.headers.get('Vary') ?? '').not.toContain('Accept-Encoding');
      expect(answer.length).toBeGreaterThan(1_024);
    }
    const range = await get(`/api/storage/files/${page.id}/content`, 'gzip', {
      headers: { Range: 'bytes=0-2047' },
    });
    expect([range.status, range.coding, range.length]).toEqual([206, null, 2048]);
  });

  test('not of requests that pages of other sites cause in a signed-in browser', async () => {
    const coding = async (site: string, more: Record<string, string>) => {
      const asked = { 'Accept-Encoding': 'gzip', 'Sec-Fetch-Site': site, ...more };
      const answer = await fetchCoded(`${posthouse.url}/api/storage/files/root`, { headers: asked });
      expect([answer.status, site]).toEqual([200, site]);
      return answer.coding;
    };
    expect(await coding('same-origin', { Cookie: cookie })).toBe('gzip');
    expect(await coding('none', { Cookie: cookie })).toBe('gzip');
    expect(await coding('same-site', { Cookie: cookie })).toBeNull();
    expect(await coding('cross-site', { Cookie: cookie })).toBeNull();
    expect(await coding('cross-site', headers)).toBe('gzip');
  });

  test('many large responses at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => get('/api/storage/files/root', CODINGS[i % 3])),
    );
    // The downloads of another test may be counted meanwhile.
    const texts = answers.map(({ text }) => text.replaceAll(/"downloadCount":\d+/gi, ''));
    expect(new Set(texts).size).toBe(1);
  });
});
