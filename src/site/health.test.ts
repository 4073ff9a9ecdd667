import { expect, test } from 'bun:test';
import { createAddresses } from '../kernel/http/address.ts';
import { createHttp } from '../kernel/http/app.ts';
import { createProblems } from '../kernel/http/problems/problems.ts';
import { createCallers } from '../kernel/limits/callers.ts';
import { createLog } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics/metrics.ts';
import { kernelProblems } from '../kernel/problems.ts';
import { mountHealth } from './health.ts';
import { siteProblems } from './problems.ts';

test('logs the start and the end of a failure that /readyz reports, not each request', async () => {
  const lines: { level: string; msg: string; dependency?: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  let isBroken = true;
  const http = createHttp({
    problems: createProblems({ ...kernelProblems, ...siteProblems }, {}),
    log,
    metrics: createMetrics(),
    addresses: createAddresses([]),
    eventLoop: { begin() {}, end() {} },
    callers: createCallers(),
    secure: false,
  });
  const probes = {
    async blobs() {
      if (isBroken) throw new Error('no such bucket');
    },
  };
  mountHealth(http.app, { probes, log, resultKeptMs: 0 });
  const status = async () => (await http.answer(new Request('http://x/readyz'), () => '192.0.2.1')).status;
  const statuses = [await status(), await status(), await status()];
  isBroken = false;
  statuses.push(await status(), await status());
  isBroken = true;
  statuses.push(await status());
  expect(statuses).toEqual([503, 503, 503, 200, 200, 503]);
  const start = { level: 'error', dependency: 'blobs', msg: 'a dependency failed' };
  expect(lines).toMatchObject([
    { ...start, error: { message: 'no such bucket' } },
    { level: 'info', dependency: 'blobs', msg: 'a dependency recovered' },
    start,
  ]);
});
