import { describe, expect, test } from 'bun:test';
import { withRetries } from './retry.ts';

const URL = 'http://server.test/';
const busy = (headers: Record<string, string> = {}, status = 503) =>
  new Response('busy', { status, headers });
const ok = () => new Response('ok');

/** A `fetch` with retries and a server with these responses; records received bodies and pauses. */
function setUp(answers: (Response | Error)[], retries = 2) {
  const bodies: string[] = [];
  const pauses: number[] = [];
  const fetch = withRetries({
    retries,
    async fetch(request) {
      bodies.push(await request.text());
      const answer = answers[Math.min(bodies.length, answers.length) - 1];
      if (answer instanceof Response) return answer.clone() as Response;
      throw answer;
    },
    async pause(ms) {
      pauses.push(ms);
    },
  });
  return { fetch, bodies, pauses };
}

const post = (headers: Record<string, string> = {}) =>
  new Request(URL, { method: 'POST', body: 'message', headers });

describe('a request that is safe to repeat', () => {
  test.each([429, 502, 503, 504])('is retried after status %d', async (status) => {
    const { fetch, bodies } = setUp([busy({}, status), ok()]);
    expect((await fetch(new Request(URL))).status).toBe(200);
    expect(bodies).toHaveLength(2);
  });

  test('is retried after a lost connection, with an increasing pause', async () => {
    const { fetch, pauses } = setUp([new Error('lost'), new Error('lost'), ok()]);
    expect((await fetch(new Request(URL))).status).toBe(200);
    const [first = 0, second = 0] = pauses;
    expect(first).toBeWithin(187, 313);
    expect(second).toBeWithin(375, 626);
  });

  test('is retried after a response that breaks off', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('lost')) });
    let attempts = 0;
    const fetch = withRetries({
      retries: 1,
      fetch: async () => (attempts++ === 0 ? new Response(body, { status: 503 }) : ok()),
      async pause() {},
    });
    expect((await fetch(new Request(URL))).status).toBe(200);
  });

  test('has its whole body in each attempt', async () => {
    const { fetch, bodies } = setUp([busy(), new Error('lost'), ok()]);
    await fetch(new Request(URL, { method: 'PUT', body: 'content' }));
    expect(bodies).toEqual(['content', 'content', 'content']);
  });

  test('ends with the last response when no retry is left', async () => {
    const { fetch, bodies } = setUp([busy()], 1);
    const answer = await fetch(new Request(URL));
    expect([answer.status, await answer.text()]).toEqual([503, 'busy']);
    expect(bodies).toHaveLength(2);
  });

  test('ends with the last error when no retry is left', async () => {
    const { fetch, bodies } = setUp([new Error('lost')], 1);
    await expect(fetch(new Request(URL))).rejects.toThrow('lost');
    expect(bodies).toHaveLength(2);
  });

  test.each([400, 404, 500, 507])('is not retried after status %d', async (status) => {
    const { fetch, bodies } = setUp([busy({}, status), ok()]);
    expect((await fetch(new Request(URL))).status).toBe(status);
    expect(bodies).toHaveLength(1);
  });
});

describe('a POST', () => {
  test.each([
    ['status 503', busy()],
    ['a lost connection', new Error('lost')],
  ])('without a key is not retried after %s', async (_, outcome) => {
    const { fetch, bodies } = setUp([outcome, ok()]);
    await fetch(post()).catch(() => {});
    expect(bodies).toEqual(['message']);
  });

  test('with an idempotency key is retried with the same key and body', async () => {
    const { fetch, bodies } = setUp([busy(), ok()]);
    expect((await fetch(post({ 'Idempotency-Key': 'k' }))).status).toBe(200);
    expect(bodies).toEqual(['message', 'message']);
  });
});

describe('Retry-After', () => {
  test('in seconds is the pause', async () => {
    const { fetch, pauses } = setUp([busy({ 'Retry-After': '7' }), ok()]);
    await fetch(new Request(URL));
    expect(pauses).toEqual([7_000]);
  });

  test('as a date is the pause until then', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    const { fetch, pauses } = setUp([busy({ 'Retry-After': date }), ok()]);
    await fetch(new Request(URL));
    expect(pauses).toHaveLength(1);
    // A date has no milliseconds.
    expect(pauses[0]).toBeWithin(1_000, 20_001);
  });

  test('of more than 30 s makes the response final', async () => {
    const { fetch, bodies } = setUp([busy({ 'Retry-After': '31' }), ok()]);
    expect((await fetch(new Request(URL))).status).toBe(503);
    expect(bodies).toHaveLength(1);
  });
});

describe('an aborted request', () => {
  test('is not retried', async () => {
    const controller = new AbortController();
    let attempts = 0;
    const fetch = withRetries({
      retries: 2,
      async fetch() {
        attempts += 1;
        controller.abort();
        throw controller.signal.reason;
      },
    });
    await expect(fetch(new Request(URL, { signal: controller.signal }))).rejects.toThrow('abort');
    expect(attempts).toBe(1);
  });

  test('while its response is discarded has no pause', async () => {
    const controller = new AbortController();
    const fetch = withRetries({
      retries: 2,
      async fetch({ signal }) {
        if (signal.aborted) throw signal.reason;
        const body = new ReadableStream({ cancel: () => controller.abort() });
        return new Response(body, { status: 503, headers: { 'Retry-After': '30' } });
      },
    });
    await expect(fetch(new Request(URL, { signal: controller.signal }))).rejects.toThrow('abort');
  });

  test('ends the pause before a retry', async () => {
    const controller = new AbortController();
    const fetch = withRetries({
      retries: 2,
      async fetch({ signal }) {
        if (signal.aborted) throw signal.reason;
        setImmediate(() => controller.abort());
        return busy({ 'Retry-After': '30' });
      },
    });
    await expect(fetch(new Request(URL, { signal: controller.signal }))).rejects.toThrow('abort');
  });
});
