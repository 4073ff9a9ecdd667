import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { addPerson, startProcess } from './harness/posthouse.ts';

const LENGTH = 400_000_000;
/** Requests with each head. If the 64 MB that are discarded of each body were kept, they would need a gigabyte. */
const EACH = 2;
/** Twice the largest growth on a busy machine, most of which is memory for chunks that is used again. */
const GROWTH = 300_000_000;
const CHUNK = Buffer.alloc(1_000_000, 97);

/** Returns the largest memory that a process has had, in bytes; 0 where the system does not report it. */
function peakOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Sends a body until the server closes the connection; returns the status and the bytes that were sent. */
async function sendBody(port: string, head: string, body: string): Promise<{ status: string; sent: number }> {
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  let sent = 0;
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data;
  });
  const send = () => {
    if (socket.destroyed || sent >= LENGTH) return;
    sent += CHUNK.length;
    // In turns with reading, since the reset of the connection would discard a response that is not yet read.
    if (socket.write(CHUNK)) setImmediate(send);
  };
  socket.on('drain', send);
  socket.write(`${head}${body}`);
  send();
  await new Promise((resolve) => socket.once('close', resolve));
  return { status: answer.slice(0, 12), sent };
}

test('bodies of 400 MB that no handler reads are not received completely, and take no memory', async () => {
  const posthouse = await startProcess(await freshSettings('sqlite+local'));
  const { headers } = await addPerson(posthouse.settings, 'ada@example.org');
  const common = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.Authorization}`;
  const cases = [
    ['404', `POST /nothing ${common}`],
    ['415', `POST /api/chatbot/sendmessage ${common}\r\nContent-Type: text/plain`],
    ['413', `POST /api/storage/folders ${common}\r\nContent-Type: application/json`],
    ['200', `GET /healthz ${common}`],
  ].flatMap(([status, head]) =>
    [
      `Content-Length: ${LENGTH}\r\n\r\n`,
      `Transfer-Encoding: chunked\r\n\r\n${LENGTH.toString(16)}\r\n`,
    ].flatMap((body) => Array.from({ length: EACH }, () => ({ status, head: `${head}\r\n`, body }))),
  );
  const { port } = new URL(posthouse.url);
  // 64 MB are discarded, so that a client that reads only after sending receives the response; buffers hold more.
  const alone = await sendBody(port, `POST /nothing ${common}\r\n`, `Content-Length: ${LENGTH}\r\n\r\n`);
  expect(alone.sent).toBeLessThan(LENGTH / 2);
  const before = peakOf(posthouse.pid);
  const answers = await Promise.all(cases.map(({ head, body }) => sendBody(port, head, body)));
  expect(answers.map(({ status }) => status)).toEqual(cases.map(({ status }) => `HTTP/1.1 ${status}`));
  expect(peakOf(posthouse.pid) - before).toBeLessThan(GROWTH);
  await posthouse.stop();
});
