import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory } from '../../../test/harness/backends.ts';
import { createCallers } from '../../kernel/limits/callers.ts';
import { Problem } from '../../kernel/problem.ts';
import { serveOnSocket } from './socket.ts';

test('a request without a response in time ends with 503', async () => {
  const server = await serveOnSocket(() => {}, { answerMs: 1 });
  const error = await server.fetch('/', { method: 'GET', headers: new Headers() }).catch((error) => error);
  expect(error).toBeInstanceOf(Problem);
  expect(error.code).toBe('unavailable');
  await server.stop();
});

test('requests are served although the directory of the socket is removed, also while others are under way', async () => {
  const begun = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const parent = freshDirectory();
  const server = await serveOnSocket(
    async ({ url }, response) => {
      if (url === '/slow') {
        begun.resolve();
        await slow.promise;
      }
      response.end(url);
    },
    { parent },
  );
  const get = async (target: string) =>
    await (await server.fetch(target, { method: 'GET', headers: new Headers() })).text();
  const underWay = get('/slow');
  await begun.promise;
  for (const name of readdirSync(parent)) rmSync(join(parent, name), { recursive: true });
  expect(await Promise.all(['/a', '/b'].map(get))).toEqual(['/a', '/b']);
  slow.resolve();
  expect(await underWay).toBe('/slow');
  await server.stop();
  expect(readdirSync(parent)).toEqual([]);
});

test('a socket that cannot be opened again makes requests 503', async () => {
  const parent = freshDirectory();
  const server = await serveOnSocket((_, response) => response.end(), { parent });
  const init = { method: 'GET', headers: new Headers() };
  rmSync(parent, { recursive: true });
  await expect(server.fetch('/', init)).rejects.toMatchObject({ code: 'unavailable' });
  mkdirSync(parent);
  expect((await server.fetch('/', init)).status).toBe(200);
  await server.stop();
});

test('a request is handled in the context of its caller, on a connection that others have used', async () => {
  const callers = createCallers();
  const server = await serveOnSocket(async (_, response) => {
    await Promise.resolve();
    response.end(callers.current());
  });
  const get = async (callerId: string) =>
    await callers.run({ callerId, address: '192.0.2.1' }, async () => {
      const response = await server.fetch('/', { method: 'GET', headers: new Headers() });
      return await response.text();
    });
  expect(await get('ada')).toBe('ada');
  expect(await Promise.all(['grace', 'edith', 'ada'].map(get))).toEqual(['grace', 'edith', 'ada']);
  await server.stop();
});
