import { expect, test } from 'bun:test';
import { z } from '@hono/zod-openapi';
import { anyone } from './auth.ts';
import { json } from './bodies/request-body.ts';
import { createApp } from './context.ts';
import { endpoint } from './endpoint.ts';

const REQUESTS = 20;
/** The garbage collector scans the stack conservatively. */
const LEFT_ON_STACK = 3;

test('a released body is freed and its reservation returned while the handler waits', async () => {
  const bodies: WeakRef<object>[] = [];
  const waiting: (() => void)[] = [];
  let reserved = 0;
  const allWait = Promise.withResolvers<void>();
  const app = createApp();
  const read = async () => {
    reserved++;
    const value = { text: 'x' };
    bodies.push(new WeakRef(value));
    return { value, release: () => reserved-- };
  };
  endpoint(app, {
    method: 'post',
    path: '/',
    operation: 'post',
    summary: 'Post',
    tags: [],
    // The body is kept as it was read, so that its references can be counted.
    auth: { ...anyone, authenticate: (_, body) => body() },
    body: { ...json(z.object({ text: z.string() })), read, parse: (value) => value as { text: string } },
    responses: { 204: { description: 'Posted.' } },
    handler({ body, releaseBody }) {
      return textOf(body)
        .finally(releaseBody)
        .then(() => {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (waiting.push(resolve) === REQUESTS) allWait.resolve();
          return promise;
        });
    },
  });

  const answers = Array.from({ length: REQUESTS }, () => app.request('/', { method: 'POST' }, {}));
  await allWait.promise;
  expect(reserved).toBe(0);
  const kept = () => bodies.filter((body) => body.deref()).length;
  for (let round = 0; round < 5; round++) {
    await new Promise(setImmediate);
    Bun.gc(true);
  }
  expect(kept()).toBeLessThanOrEqual(LEFT_ON_STACK);
  for (const resolve of waiting) resolve();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(REQUESTS).fill(204));
});

async function textOf({ text }: { text: string }): Promise<string> {
  return text;
}

test.each(['get', 'post'] as const)('an endpoint (%s) records the id of its caller', async (method) => {
  const app = createApp();
  const seen: unknown[] = [];
  endpoint(app, {
    method,
    path: '/',
    operation: 'record',
    summary: 'Record',
    tags: [],
    auth: { ...anyone, authenticate: async () => 'ada', idOf: (caller: string) => `id of ${caller}` },
    ...(method === 'post' && { body: json(z.object({})) }),
    responses: { 204: { description: 'Recorded.' } },
    handler() {},
  });
  const environment = {};
  const init =
    method === 'post' ? { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
  seen.push((await app.request('/', init, environment)).status, environment);
  expect(seen).toMatchObject([204, { callerId: 'id of ada' }]);
});
