import { afterAll, beforeAll, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { type PosthouseProcess, startProcess } from './harness/posthouse.ts';

let posthouse: PosthouseProcess;
beforeAll(async () => {
  posthouse = await startProcess(await freshSettings('sqlite+local'));
});
afterAll(() => posthouse.stop());

const MAIL = JSON.stringify({
  ClientId: 'x',
  ClientSecret: 'y',
  To: 'a@example.org',
  Subject: 'x',
  Body: 'y',
});
const SLOW =
  'POST /requestemail HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${MAIL.length}\r\n\r\n${MAIL}`;
const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

async function open() {
  const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

test('responses to requests that overlap on a connection arrive in order', async () => {
  const socket = await open();
  socket.write(SLOW + get('/Ping', 'Connection: close\r\n'));
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 \d+|Pong/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200', 'Pong']);
});

test.each(['/login', '/Ping', '/api/storage/files/root'])(
  'connections that end while requests overlap, the last one to %s, do no harm',
  async (path) => {
    for (let round = 0; round < 60; round++) {
      const sockets = await Promise.all(Array.from({ length: 20 }, open));
      for (const socket of sockets) socket.write(SLOW + get(path), () => socket.destroy());
      expect((await posthouse.fetch('/healthz')).status).toBe(200);
    }
  },
);
