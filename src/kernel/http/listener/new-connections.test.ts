import { afterAll, expect, test } from 'bun:test';
import { listenHere } from '../../../../test/harness/listener.ts';

const CLIENTS = 40;
const REQUESTS = 1_000;

let inTurn = 0;
let mostInTurn = 0;

const listener = listenHere({
  answer() {
    if (inTurn++ === 0)
      setImmediate(() => {
        inTurn = 0;
      });
    mostInTurn = Math.max(mostInTurn, inTurn);
    return new Response('done');
  },
});
afterAll(() => listener.stop(true));

/** Clients in another process, which continue while this one accepts connections. */
const CLIENT_PROGRAM = `
  const { connect } = require('node:net');
  let left = ${REQUESTS};
  function request() {
    if (left-- <= 0) return;
    const socket = connect(${listener.port}, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', request);
    socket.end('GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n');
    socket.resume();
  }
  for (let client = 0; client < ${CLIENTS}; client++) request();
`;

test('clients with a connection for each request are served once in a turn of the event loop', async () => {
  const clients = Bun.spawn([process.execPath, '-e', CLIENT_PROGRAM]);
  expect(await clients.exited).toBe(0);
  expect(mostInTurn).toBeGreaterThan(0);
  expect(mostInTurn).toBeLessThanOrEqual(CLIENTS);
});
