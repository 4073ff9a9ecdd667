import { expect, test } from 'bun:test';
import { createAddresses } from '../kernel/http/address.ts';
import { createHttp } from '../kernel/http/app.ts';
import { createProblems } from '../kernel/http/problems/problems.ts';
import { createCallers } from '../kernel/limits/callers.ts';
import { createLog } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { kernelProblems } from '../kernel/problems.ts';
import { mountMetrics } from './metrics.ts';
import { siteProblems } from './problems.ts';

const TOKEN = 'a token for metrics';
const metrics = createMetrics();
/** Addresses of wrong tokens. */
const counted: string[] = [];
const http = createHttp({
  problems: createProblems({ ...kernelProblems, ...siteProblems }, {}),
  log: createLog('silent'),
  metrics,
  addresses: createAddresses(['192.0.2.0/24']),
  eventLoop: { begin() {}, end() {} },
  callers: createCallers(),
  secure: false,
});
mountMetrics(http.app, {
  metrics,
  render: metrics.render,
  token: TOKEN,
  hosts: ['files.example'],
  isAdmin: async () => false,
  attempts: {
    async failFrom(address) {
      counted.push(address);
    },
  },
  version: '1',
});

async function statusFor(peer: string, host: string, headers: Record<string, string> = {}) {
  const answer = await http.answer(new Request(`http://${host}/metrics`, { headers }), () => peer);
  return answer.status;
}

test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
  '/metrics is open to a peer of this machine (%s) with one of the server’s own hosts only',
  async (peer) => {
    for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000', 'files.example'])
      expect(await statusFor(peer, host)).toBe(200);
    for (const host of ['evil.example', 'localhost.evil.example', '198.51.100.7', 'x.files.example'])
      expect(await statusFor(peer, host)).toBe(403);
    for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])
      expect(await statusFor(peer, 'localhost', { [name]: '127.0.0.1' })).toBe(403);
  },
);

test.each(['198.51.100.7', '10.0.0.8', '192.168.1.2', '::ffff:10.0.0.8', 'fe80::1', '192.0.2.9', ''])(
  '/metrics requires the token from another machine (%s) with any Host',
  async (peer) => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'files.example'])
      expect(await statusFor(peer, host)).toBe(403);
    // Also through a trusted proxy that names this machine as the client.
    expect(await statusFor(peer, 'localhost', { 'X-Forwarded-For': '127.0.0.1' })).toBe(403);
    expect(await statusFor(peer, 'localhost', { Authorization: 'Bearer wrong' })).toBe(403);
    expect(await statusFor(peer, 'localhost', { Authorization: `Bearer ${TOKEN}` })).toBe(200);
  },
);

test('a wrong token is counted for its address', async () => {
  const status = async (headers: Record<string, string>) =>
    await statusFor('198.51.100.9', 'localhost', headers);
  counted.length = 0;
  expect(await status({})).toBe(403);
  expect(await status({ Authorization: `Bearer ${TOKEN}` })).toBe(200);
  expect(counted).toEqual([]);
  expect(await status({ Authorization: 'Bearer wrong' })).toBe(403);
  expect(counted).toEqual(['198.51.100.9']);
});
