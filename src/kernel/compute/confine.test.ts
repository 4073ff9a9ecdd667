import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../../test/harness/listen.ts';
import { createLog } from '../log.ts';
import { createCompute } from './compute.ts';
import { computeFilter } from './seccomp.ts';
import { DENIED_CALLS } from './system-calls.ts';

// Only Linux has system call filters.
describe.skipIf(process.platform !== 'linux')('a child for untrusted input', () => {
  const directory = mkdtempSync(join(tmpdir(), 'posthouse-confined-'));
  const key = join(directory, 'secret.key');
  const compute = createCompute({
    name: 'test',
    log: createLog('silent'),
    program: join(import.meta.dir, '../../../test/harness/compute-program.ts'),
    limits: { memory: 2 ** 28, cpuSeconds: 60 },
    output: 2 ** 20,
    children: 1,
    ms: 60_000,
  });
  const job = async (value: object) => (await compute.run('ada', { value })).value;
  let server: Server;
  let port = 0;
  let connections = 0;
  beforeAll(async () => {
    writeFileSync(key, 'the key', { mode: 0o644 });
    server = createServer(() => connections++);
    port = await listen(server);
  });
  afterAll(() => {
    compute.stop();
    server.close();
    rmSync(directory, { recursive: true });
  });

  test.each([
    ['read the server key', { do: 'read', path: key }],
    ['read its own program', { do: 'read', path: import.meta.path }],
    ['read the memory of the server', { do: 'read', path: `/proc/${process.pid}/environ` }],
    ['list the data directory', { do: 'list', path: directory }],
    ['see where a link leads', { do: 'follow', path: '/proc/self/exe' }],
    ['change the server key', { do: 'write', path: key }],
    ['create a file', { do: 'write', path: join(directory, 'new') }],
    ['create a temporary file', { do: 'write', path: `/tmp/posthouse-${crypto.randomUUID()}` }],
    ['look up a host', { do: 'resolve' }],
    ['open a port', { do: 'listen' }],
    ['start a program', { do: 'start' }],
    ['signal the server', { do: 'signal', pid: process.pid }],
    ['signal every process', { do: 'signal', pid: -1 }],
  ])('cannot %s', async (_, attempt) => {
    await expect(job(attempt)).rejects.toThrow(/EACCES|DNS|permission|Failed to listen/i);
    expect(readdirSync(directory)).toEqual(['secret.key']);
  });

  test('cannot connect', async () => {
    await expect(job({ do: 'connect', port })).rejects.toThrow('EACCES');
    expect(connections).toBe(0);
  });

  test('is not root, and still computes, in threads too', async () => {
    if (process.getuid?.() === 0) expect(await job({ do: 'user' })).toEqual([65_534, 65_534, []]);
    expect(await job({ do: 'thread' })).toBe(42);
  });
});

test('the filter is within the size limit of the kernel on both architectures, and names each call once', () => {
  for (const architecture of ['x64', 'arm64'] as const) {
    // BPF_MAXINSNS of linux/bpf_common.h.
    expect(computeFilter(architecture, 1).length / 8).toBeLessThan(4_096);
    const column = architecture === 'x64' ? 0 : 1;
    const numbers = Object.values(DENIED_CALLS).flatMap((call) => call[column] ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});
