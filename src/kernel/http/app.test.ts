import { expect, test } from 'bun:test';
import { createCallers } from '../limits/callers.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { kernelProblems } from '../problems.ts';
import { createAddresses } from './address.ts';
import { createHttp } from './app.ts';
import { createProblems } from './problems/problems.ts';

test('GET and HEAD requests that succeed are recorded as reads by their callers', async () => {
  const reads: (string | null)[] = [];
  const http = createHttp({
    problems: createProblems({ ...kernelProblems }, {}),
    log: createLog('silent'),
    metrics: createMetrics(),
    addresses: createAddresses([]),
    eventLoop: { begin() {}, end() {} },
    callers: { run: createCallers().run, recordRead: ({ callerId }) => reads.push(callerId ?? null) },
    secure: false,
  });
  http.app.all('/files', (c) => {
    c.env.callerId = 'ada';
    return c.body(null, 204);
  });
  const send = async (method: string, path: string) =>
    (await http.answer(new Request(`http://localhost${path}`, { method }), () => '192.0.2.1')).status;
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) expect(await send(method, '/files')).toBe(204);
  expect(await send('GET', '/unknown')).toBe(404);
  expect(reads).toEqual(['ada', 'ada']);
});
