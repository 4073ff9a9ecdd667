import { describe, expect } from 'bun:test';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, MAIN, startProcess, startProgram } from './harness/posthouse.ts';
import { runProgram, testWith } from './harness/programs.ts';
import { UPLOADS } from './harness/tus.ts';
import { until } from './harness/until.ts';

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/** Sends a request on an open connection, and returns the status and the text of the response. */
async function sendOn(socket: Socket, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>();
  let received = '';
  const read = (data: Buffer) => {
    received += data.toString('latin1');
    const end = received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const text = received.slice(end + 4);
    const [, length] = /content-length: (\d+)/i.exec(received.slice(0, end)) ?? [];
    if (text.length >= Number(length)) resolve({ status: Number(received.slice(9, 12)), text });
  };
  socket.on('data', read);
  const fields = {
    Host: `localhost:${socket.remotePort}`,
    'Content-Length': String(body?.length ?? 0),
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  if (body) socket.write(body);
  return await promise.finally(() => socket.off('data', read));
}

/** Returns the number of the next descriptor that a process opens. */
function lowestFree(pid: number): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
  let free = 0;
  while (open.has(free)) free++;
  return free;
}

testWith(
  'prlimit',
  'a server without free descriptors responds with 503, and works again as soon as it has some',
  async () => {
    const settings = await freshSettings('sqlite+local');
    // Few, so that all modules are loaded before the server is ready.
    const few = ['prlimit', '--nofile=1000:1000'];
    const posthouse = await startProgram([MAIN, 'serve'], { ...settings, POSTHOUSE_LOG_LEVEL: 'debug' }, few);
    expect(posthouse.output()).toMatch(/all modules are loaded.*"listening"/s);
    const { headers } = await addPerson(settings, 'ada@example.org');
    const { id } = await filesOf(posthouse, headers).upload('x'.repeat(300_000));
    const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
    await once(socket, 'connect');
    await sendOn(socket, '/healthz');
    const limit = (count: number) =>
      runProgram('prlimit', '--pid', String(posthouse.pid), `--nofile=${count}:`);
    const requests: Record<string, () => ReturnType<typeof sendOn>> = {
      list: () => sendOn(socket, '/api/storage/files/root', { headers }),
      download: () => sendOn(socket, `/api/storage/files/${id}/content`, { headers }),
      export: () => sendOn(socket, '/api/storage/export/root', { headers }),
      upload: () =>
        sendOn(socket, '/api/storage/files/root', {
          method: 'POST',
          headers: { ...headers, 'Content-Type': MULTIPART_TYPE },
          body: multipart([{ name: 'file', value: new Uint8Array(100), fileName: 'new.bin' }]),
        }),
      resumable: () =>
        sendOn(socket, UPLOADS, {
          method: 'POST',
          headers: {
            ...headers,
            'Tus-Resumable': '1.0.0',
            'Upload-Length': '9',
            'Upload-Metadata': 'filename YQ==',
          },
        }),
      // Its password is hashed in a child process.
      password: () =>
        sendOn(socket, `/api/storage/files/${id}`, {
          method: 'PATCH',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: Buffer.from(JSON.stringify({ filePassword: 'correct horse' })),
        }),
      'sign-in': () => sendOn(socket, '/login'),
      issuer: () => sendOn(socket, '/oidc/.well-known/openid-configuration'),
    };

    await limit(lowestFree(posthouse.pid));
    const statuses: Record<string, number> = {};
    for (const [name, request] of Object.entries(requests)) {
      const { status, text } = await request();
      statuses[name] = status;
      expect(text).not.toContain(settings.POSTHOUSE_DATA_DIR ?? '');
      if (status === 503) expect(text).toContain('short of file descriptors, processes, memory or CPU time');
    }
    const same = { list: 200, resumable: 201, 'sign-in': 302 };
    expect(statuses).toEqual({
      ...same,
      download: 503,
      export: 503,
      upload: 503,
      password: 503,
      issuer: 503,
    });

    await limit(1_000);
    for (const [name, request] of Object.entries(requests)) statuses[name] = (await request()).status;
    expect(statuses).toEqual({
      ...same,
      download: 200,
      export: 200,
      upload: 201,
      password: 200,
      issuer: 200,
    });
    socket.destroy();
    expect(await posthouse.stop()).toBe(0);
  },
);

describe('many connections that wait for a request', () => {
  const kinds: [string, (socket: Socket) => unknown][] = [
    ['send nothing', () => {}],
    ['never end a head', (socket) => socket.write('GET /healthz HTTP/1.1\r\nX: ')],
    ['stay open after a request', (socket) => sendOn(socket, '/healthz')],
  ];
  for (const [name, send] of kinds)
    testWith('prlimit', `leave descriptors to others when they ${name}`, async () => {
      const posthouse = await startProcess(await freshSettings('sqlite+local'));
      await runProgram('prlimit', '--pid', String(posthouse.pid), '--nofile=256:');
      const sockets = Array.from({ length: 400 }, () => {
        const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
        socket.on('error', () => {});
        socket.once('connect', () => void send(socket));
        return socket;
      });
      const closed = () => sockets.filter(({ destroyed }) => destroyed).length;
      // The remaining ones fill half of the descriptors.
      await until(() => closed() >= 400 - 128);
      expect((await posthouse.fetch('/healthz')).status).toBe(200);
      expect(readdirSync(`/proc/${posthouse.pid}/fd`).length).toBeGreaterThan(100);
      expect(readdirSync(`/proc/${posthouse.pid}/fd`).length).toBeLessThan(220);
      for (const socket of sockets) socket.destroy();
      expect(await posthouse.stop()).toBe(0);
    });
});

testWith(
  'prlimit',
  'a server whose descriptors are used by requests refuses further ones at once',
  async () => {
    const posthouse = await startProcess(await freshSettings('sqlite+local'));
    await runProgram('prlimit', '--pid', String(posthouse.pid), '--nofile=256:');
    const head = 'POST /api/chatbot/sendmessage HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1', () =>
        socket.write(`${head}Content-Length: 100\r\n\r\n{`),
      );
      return socket;
    });
    const statuses = sockets.map(async (socket) => {
      socket.on('error', () => {});
      const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return data instanceof Buffer ? data.toString('latin1', 9, 12) : 'none';
    });
    let refused = 0;
    for (const status of statuses) void status.then((text) => text === '503' && refused++);
    await until(() => refused === 200 - 192);
    const answer = await posthouse.fetch('/healthz');
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'unavailable' }]);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await posthouse.fetch('/healthz')).status === 200);
    const metrics = await (await posthouse.fetch('/metrics')).text();
    const [, counted] = /^posthouse_http_refusals_total\{code="unavailable"\} (\d+)$/m.exec(metrics) ?? [];
    expect(Number(counted)).toBeGreaterThanOrEqual(refused + 1);
    expect(posthouse.output().match(/rejecting requests: connections hold/g)).toHaveLength(1);
    expect(await posthouse.stop()).toBe(0);
  },
);
