import { expect, test } from 'bun:test';
import { Problem } from '../../kernel/problem.ts';
import { serveOnSocket } from './socket.ts';

test('a request without a response in time ends with 503', async () => {
  const server = await serveOnSocket(() => {}, 1);
  const error = await server.fetch('/', { method: 'GET', headers: new Headers() }).catch((error) => error);
  expect(error).toBeInstanceOf(Problem);
  expect(error.code).toBe('unavailable');
  await server.stop();
});
