import { afterAll, expect, test } from 'bun:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { MB } from './bytes.ts';
import { fetchShort, ResponseTooLarge } from './short-response.ts';

let accepted: string | null = null;
/** Responses by their paths. */
const responses: Record<string, () => Response> = {
  '/plain': () => new Response('short'),
  '/gzip': () => new Response(gzipSync('short'), { headers: { 'Content-Encoding': 'gzip' } }),
  '/none': () => new Response(null, { status: 204 }),
  '/empty': () => new Response('', { headers: { 'Content-Encoding': 'gzip' } }),
  '/zstd': () => new Response(zstdCompressSync('short'), { headers: { 'Content-Encoding': 'zstd' } }),
  '/large': () => new Response(Buffer.alloc(MB + 1)),
  '/bomb': () => new Response(gzipSync(Buffer.alloc(100 * MB)), { headers: { 'Content-Encoding': 'gzip' } }),
};
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch({ url, headers }) {
    accepted = headers.get('Accept-Encoding');
    return responses[new URL(url).pathname]?.() ?? new Response(null, { status: 404 });
  },
});
afterAll(() => server.stop(true));
const get = (path: string) => fetchShort(`http://127.0.0.1:${server.port}${path}`, {});

test.each([
  ['/plain', 'short'],
  ['/gzip', 'short'],
  ['/none', ''],
  ['/empty', ''],
])('the response at %s has the content %p', async (path, text) => {
  const response = await get(path);
  expect(await response.text()).toBe(text);
  expect(response.headers.has('Content-Encoding')).toBeFalse();
  expect(accepted).toBe('gzip');
});

test.each(['/large', '/bomb'])('the response at %s is too large, packed or not', async (path) => {
  await expect(get(path)).rejects.toBeInstanceOf(ResponseTooLarge);
});

test('a content coding that was not accepted is refused, without decoding it', async () => {
  await expect(get('/zstd')).rejects.toThrow('has the content coding zstd');
});
