import { afterEach, expect, spyOn, test } from 'bun:test';
import { createPlatform } from './platform.ts';
import { PlatformError } from './platform-errors.ts';

const TOKEN = 'canary.bot.token';
let server: ReturnType<typeof Bun.serve> | undefined;
afterEach(() => server?.stop(true));

/** Calls a server that responds with `answer`; returns the error, and the number of counted invalid requests. */
async function callAgainst(answer: () => Response, path = '') {
  let invalid = 0;
  const urls: string[] = [];
  server = Bun.serve({
    port: 0,
    fetch: (request) => {
      urls.push(new URL(request.url).pathname);
      return answer();
    },
  });
  const bot = createPlatform(`${server.url.origin}${path}`, () => invalid++)(TOKEN);
  const error = await bot
    .call('POST', '/channels/123456789012345678/messages', { body: { content: 'canary text' } })
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  if (error !== null && !(error instanceof PlatformError)) throw error;
  return { error, invalid, urls };
}

test.each([
  ['', '/v10/channels/123456789012345678/messages'],
  ['/api', '/api/v10/channels/123456789012345678/messages'],
  ['/api/v9', '/api/v9/channels/123456789012345678/messages'],
])('the base “%s” calls %s', async (base, path) => {
  expect((await callAgainst(() => Response.json({ id: '1' }), base)).urls).toEqual([path]);
});

const json =
  (status: number, body: object, headers = {}) =>
  () =>
    Response.json(body, { status, headers });

test.each([
  [json(401, { message: '401: Unauthorized', code: 0 }), { kind: 'unauthorized', code: 0 }, 1],
  [json(403, { message: 'Missing Access', code: 50_001 }), { kind: 'forbidden', code: 50_001 }, 1],
  [json(404, { message: 'Unknown Channel', code: 10_003 }), { kind: 'missing', code: 10_003 }, 0],
  [json(400, { message: 'Invalid Form Body', code: 50_035 }), { kind: 'refused', code: 50_035 }, 0],
  [json(400, { message: 'You lack permissions', code: 50_013 }), { kind: 'forbidden', code: 50_013 }, 0],
  [json(400, { message: 'Missing access', code: 50_001 }), { kind: 'forbidden', code: 50_001 }, 0],
  [json(400, { message: 'Unknown guild', code: 10_004 }), { kind: 'missing', code: 10_004 }, 0],
  [json(400, { message: 'Invalid token', code: 50_014 }), { kind: 'unauthorized', code: 50_014 }, 0],
  [json(500, { message: 'Missing Permissions', code: 50_013 }), { kind: 'forbidden', code: 50_013 }, 0],
  [json(500, { message: 'oh' }), { kind: 'unavailable' }, 0],
  [() => new Response('<html>', { status: 502 }), { kind: 'unavailable' }, 0],
  [() => new Response('<html>', { status: 403 }), { kind: 'unavailable' }, 1],
  [
    () => new Response(null, { status: 302, headers: { Location: 'https://example.org/' } }),
    { kind: 'unavailable' },
    0,
  ],
  [
    json(429, { retry_after: 0.3, global: false }, { 'Retry-After': '1' }),
    { kind: 'limited', retryAfterMs: 300, scope: 'user' },
    1,
  ],
  [
    json(429, { retry_after: 64.57, global: true }),
    { kind: 'limited', retryAfterMs: 64_570, scope: 'global' },
    1,
  ],
  [
    json(429, { retry_after: 2 }, { 'X-RateLimit-Scope': 'shared' }),
    { kind: 'limited', retryAfterMs: 2_000, scope: 'shared' },
    0,
  ],
  [
    () => new Response('error code: 1015', { status: 429, headers: { 'Retry-After': '7' } }),
    { kind: 'limited', retryAfterMs: 7_000, scope: 'global' },
    1,
  ],
  [
    () => new Response('error code: 1015', { status: 429, headers: { 'Retry-After': '99999999' } }),
    { kind: 'limited', retryAfterMs: 900_000, scope: 'global' },
    1,
  ],
  [
    () => new Response('error code: 1015', { status: 429 }),
    { kind: 'limited', retryAfterMs: 60_000, scope: 'global' },
    1,
  ],
])('failure %#', async (answer, failure, count) => {
  const { error, invalid } = await callAgainst(answer);
  expect(error?.failure as unknown).toEqual(failure);
  expect(invalid).toBe(count);
});

test('an error contains neither the token nor the message nor the platform’s address', async () => {
  const failures = [
    json(400, { message: `Bot ${TOKEN} is not good` }),
    () => new Response(TOKEN, { status: 500 }),
  ];
  for (const failure of failures) {
    const { error } = await callAgainst(failure);
    expect(Bun.inspect(error)).not.toContain(TOKEN);
    expect(Bun.inspect(error)).not.toContain('canary text');
  }
  const bot = createPlatform('http://user:canary-password@127.0.0.1:1/api', () => {})(TOKEN);
  const error = await bot.call('GET', '/users/@me').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ failure: { kind: 'unavailable' } });
  expect(Bun.inspect(error)).not.toContain('canary');
});

/** Returns a function that posts to a server that responds with `headers`, and reports the wait; 0 = it was sent. */
function poster(headers: Record<string, string>) {
  server = Bun.serve({ port: 0, fetch: () => Response.json({ id: '1' }, { headers }) });
  const bot = createPlatform(server.url.origin, () => {})(TOKEN);
  return async () => {
    const answer = bot.call('POST', '/channels/123456789012345678/messages', { body: {} });
    const error = await answer.then(
      () => null,
      (thrown: PlatformError) => thrown,
    );
    if (error === null) return 0;
    if (error.failure.kind !== 'exhausted') throw error;
    return error.failure.retryAfterMs;
  };
}

test.each<Record<string, string>>([
  { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '31536000' },
  { 'X-RateLimit-Global': 'true', 'Retry-After': '31536000' },
])('a wait of more than 15 minutes is shortened, %#', async (headers) => {
  const post = poster(headers);
  expect(await post()).toBe(0);
  const waitMs = await post();
  expect(waitMs).toBeGreaterThan(800_000);
  expect(waitMs).toBeLessThanOrEqual(900_100);
});

test.each(['Infinity', '-1', 'soon', 'NaN'])('a wait of “%s” is none', async (value) => {
  const post = poster({
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset-After': value,
    'Retry-After': value,
  });
  await post();
  // The library adds 100 ms.
  expect(await post()).toBeLessThanOrEqual(100);
});

test.each([60_000, 3_600_000])('a clock set back by %d ms does not lengthen a wait', async (stepMs) => {
  const post = poster({ 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '30' });
  const { now } = Date;
  const clock = spyOn(Date, 'now').mockImplementation(() => now() + stepMs);
  try {
    expect(await post()).toBe(0);
    expect(await post()).toBeWithin(1, 30_101);
  } finally {
    clock.mockRestore();
  }
  // The limits are forgotten once, for all concurrent calls.
  expect(await Promise.all([post(), post()])).toEqual([0, expect.any(Number)]);
  expect(await post()).toBeWithin(1, 30_101);
});

test('an empty bucket sends no request, and returns its wait', async () => {
  let requests = 0;
  const headers = {
    'X-RateLimit-Limit': '1',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset-After': '0.5',
    'X-RateLimit-Bucket': 'b',
  };
  server = Bun.serve({
    port: 0,
    fetch: () => {
      requests++;
      return Response.json({ id: '1' }, { headers });
    },
  });
  const bot = createPlatform(server.url.origin, () => {})(TOKEN);
  const post = () => bot.call('POST', '/channels/123456789012345678/messages', { body: {} });
  // The library gets the bucket's name with the first response, and its remaining requests with the second.
  await post();
  await post();
  const error = (await post().catch((thrown: unknown) => thrown)) as PlatformError;
  expect(error.failure.kind).toBe('exhausted');
  expect(requests).toBe(2);
});

test('a response of more than 1 MB is cut off', async () => {
  const large = { id: '1', content: 'x'.repeat(1_100_000) };
  expect((await callAgainst(json(200, large))).error).toMatchObject({ failure: { kind: 'unavailable' } });
});

test.each([
  ['many in one field', { field: { _errors: Array.from({ length: 50 }, () => ({ message: 'wrong' })) } }],
  ['nested deeply', JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as object],
  ['of other types', { field: { _errors: [null, 1, { message: { toString: 1 } }, { message: 'wrong' }] } }],
])('hostile details of a refusal are bounded: %s', async (_, errors) => {
  const { error } = await callAgainst(json(400, { message: 'Invalid Form Body', errors }));
  expect(error?.failure).toEqual({ kind: 'refused', code: null });
  expect(error?.message).toStartWith('Invalid Form Body');
  expect((error?.message.match(/wrong/g) ?? []).length).toBeLessThanOrEqual(10);
});

test('the bots used last are kept, and others are closed', async () => {
  server = Bun.serve({ port: 0, fetch: () => Response.json({ id: '1' }) });
  const platform = createPlatform(server.url.origin, () => {});
  const first = platform('first');
  await first.call('GET', '/users/@me');
  const used = platform('used');
  const cleared = spyOn(globalThis, 'clearInterval');
  for (let count = 0; count < 1_000; count++) {
    platform(`other ${count}`);
    platform('used');
  }
  // The two timers of the library.
  expect(cleared).toHaveBeenCalledTimes(2);
  cleared.mockRestore();
  expect(platform('used')).toBe(used);
  expect(platform('first')).not.toBe(first);
  expect(await first.call('GET', '/users/@me')).toEqual({ id: '1' });
});
