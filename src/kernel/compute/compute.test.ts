import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../test/harness/until.ts';
import { MB } from '../bytes.ts';
import { asUnavailable } from '../errors/unavailable.ts';
import { createLog } from '../log.ts';
import { type Compute, type ComputeDeps, createCompute } from './compute.ts';
import { type Job, JobInterrupted, JobKilled } from './start-child.ts';

const pools: Compute[] = [];

function pool(deps: Partial<ComputeDeps> = {}) {
  const compute = createCompute({
    name: 'test',
    log: createLog('silent'),
    program: join(import.meta.dir, '../../../test/harness/compute-program.ts'),
    limits: { memory: 256 * MB, cpuSeconds: 60 },
    output: MB,
    children: 1,
    ms: 60_000,
    ...deps,
  });
  pools.push(compute);
  return {
    ...compute,
    job: (value: object, { owner = 'ada', ...job }: { owner?: string } & Partial<Job> = {}) =>
      compute.run(owner, { value, ...job }),
    pid: async (owner = 'ada') => (await compute.run(owner, { value: { do: 'pid' } })).value as number,
  };
}

afterEach(() => {
  for (const compute of pools.splice(0)) compute.stop();
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Numbers of the cores that a process may use; none where there is no /proc. */
function coresOf(pid: number | 'self'): number[] {
  const file = `/proc/${pid}/status`;
  const mask = existsSync(file) ? /^Cpus_allowed:\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  const bits = BigInt(`0x${mask?.replaceAll(',', '') ?? '0'}`).toString(2);
  return [...bits].reverse().flatMap((bit, core) => (bit === '1' ? [core] : []));
}

async function* chunksOf(...chunks: (string | Error)[]) {
  for (const chunk of chunks)
    if (chunk instanceof Error) throw chunk;
    else yield Buffer.from(chunk);
}

/** A program with a child that runs a job and an idle one, which writes their ids. */
const SERVER = `
  const { createCompute } = await import('./compute.ts');
  const { createLog } = await import('../log.ts');
  const compute = createCompute({
    name: 'test', log: createLog('silent'), program: '../../../test/harness/compute-program.ts',
    output: 1_000, children: 2, ms: 60_000, shares: null,
  });
  const pid = async (owner) => (await compute.run(owner, { value: { do: 'pid' } })).value;
  const busy = await pid('ada');
  void compute.run('ada', { value: { do: 'spin' } });
  console.log(busy, await pid('bob'));
`;

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a pool of children', () => {
  test('returns values and bytes, from one warm child', async () => {
    const { job, pid } = pool();
    const blobs = [new Uint8Array(3 * 65_536 + 1).fill(7), new Uint8Array(0), Buffer.from('ß')];
    const result = await job({ do: 'echo', text: 'ä\0"' }, { blobs });
    expect(result.value).toEqual({ do: 'echo', text: 'ä\0"' });
    expect(result.blobs?.map((blob) => Buffer.from(blob))).toEqual(blobs.map((blob) => Buffer.from(blob)));
    expect(await pid()).toBe(await pid());
  });

  test('passes a stream to a child while it is read', async () => {
    const { job } = pool();
    const stream = { size: 5, chunks: chunksOf('ab', '', 'cde') };
    const { blobs = [] } = await job({ do: 'echo' }, { stream });
    expect(blobs.map(String)).toEqual(['abcde']);
  });

  test('reports a child that does not start as a lack of system resources', async () => {
    const { job } = pool({ program: join(import.meta.dir, 'no-such-program.ts') });
    const error = await failure(job({ do: 'pid' }));
    expect(error).toMatchObject({ engine: 'system', message: expect.stringContaining('no-such-program') });
    expect(asUnavailable(error)).toMatchObject({
      code: 'unavailable',
      detail: 'The server is short of file descriptors, processes, memory or CPU time at the moment.',
    });
  });

  const BROKEN = [
    ['that fails', () => chunksOf('ab', new Error('no such blob')), 'no such blob'],
    ['that is too short', () => chunksOf('ab'), 'not 5 bytes long'],
    ['that is too long', () => chunksOf('ab', 'cdef'), 'not 5 bytes long'],
  ] as const;
  test.each(BROKEN)('ends a job with a stream %s, and its child', async (_, chunks, message) => {
    const { job, pid } = pool();
    const before = await pid();
    expect(await failure(job({ do: 'echo' }, { stream: { size: 5, chunks: chunks() } }))).toMatchObject({
      message: expect.stringContaining(message),
    });
    expect(await pid()).not.toBe(before);
  });

  test('uses a child for the jobs of one owner only, and for as many as allowed', async () => {
    const { pid } = pool({ isShared: false, jobs: 2, children: 2 });
    const first = await pid('ada');
    const other = await pid('bob');
    expect(other).not.toBe(first);
    expect([await pid('bob'), await pid('ada')]).toEqual([other, first]);
    expect(await pid('ada')).not.toBe(first);
    await until(() => !isRunning(first));
  });

  test('keeps no more idle children of many owners than may run', async () => {
    const { pid } = pool({ isShared: false });
    const first = await pid('ada');
    await pid('bob');
    await until(() => !isRunning(first));
  });

  test('has an empty environment, and the arguments of its pool', async () => {
    const { job } = pool({ args: ['one', 'two'] });
    expect((await job({ do: 'environment' })).value).not.toContain('HOME');
    expect((await job({ do: 'args' })).value).toEqual(['one', 'two']);
  });

  test('reports problems and errors of a job, and keeps the child', async () => {
    const { job, pid } = pool();
    const before = await pid();
    expect(await failure(job({ do: 'problem' }))).toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'Body', message: 'is wrong' }],
    });
    expect(await failure(job({ do: 'error' }))).toMatchObject({ message: 'Error: a bug' });
    expect(await pid()).toBe(before);
  });

  const KILLED = [
    ['that never ends', { do: 'spin' }, { ms: 200, longestMs: 60_000 }, 'time'],
    [
      'that takes more memory than allowed',
      { do: 'grow' },
      { limits: { memory: 100 * MB, cpuSeconds: 60 } },
      'memory',
    ],
    ['with too large a result', { do: 'output', bytes: 2 * MB }, {}, 'output'],
    ['that exits', { do: 'exit' }, {}, 'crash'],
    ['that crashes', { do: 'crash' }, {}, 'crash'],
    ['that breaks the protocol', { do: 'noise' }, {}, 'output'],
  ] as const;
  test.each(KILLED)('kills a job %s, and runs the others', async (_, hostile, limits, reason) => {
    const { job, pid } = pool(limits);
    const before = await pid();
    const others = [job(hostile), pid('bob'), pid('ada')] as const;
    const error = await failure(others[0]);
    expect(error).toBeInstanceOf(JobKilled);
    expect((error as JobKilled).reason).toBe(reason);
    const after = await Promise.all([others[1], others[2]]);
    expect(after[0]).not.toBe(before);
    expect(after[1]).toBe(after[0]);
    await until(() => !isRunning(before));
  });

  test('ends a job that may not continue, with its child, and does not repeat it', async () => {
    const { job, pid } = pool();
    const before = await pid();
    const used: number[] = [];
    const mayContinue = (cpuMs: number) => used.push(cpuMs) < 3;
    expect(await failure(job({ do: 'spin' }, { mayContinue }))).toBeInstanceOf(JobInterrupted);
    expect(used).toEqual(used.toSorted((one, other) => one - other));
    expect(used).toHaveLength(3);
    expect(await pid()).not.toBe(before);
  });

  test('repeats a job whose child was killed, such as by the system when it lacks memory', async () => {
    const { job, pid } = pool();
    const before = await pid();
    const echoed = job({ do: 'echo', text: 'x' });
    process.kill(before, 'SIGKILL');
    expect((await echoed).value).toEqual({ do: 'echo', text: 'x' });
    expect(await pid()).not.toBe(before);
  });

  test('reports a job whose children are killed from outside as a lack of system resources', async () => {
    const { job } = pool();
    const error = await failure(job({ do: 'killed' }));
    expect(asUnavailable(error)).toMatchObject({ code: 'unavailable' });
    expect(error).toMatchObject({ message: expect.stringContaining('killed from outside') });
  });

  // A stopped child is detected by /proc, which only Linux has.
  test.skipIf(process.platform !== 'linux')('repeats a job whose child was stopped', async () => {
    const { pid } = pool();
    const before = await pid();
    process.kill(before, 'SIGSTOP');
    expect(await pid()).not.toBe(before);
    await until(() => !isRunning(before));
  });

  test('reports a job that gets too little CPU time as a lack of system resources, and kills its child', async () => {
    const { run, pid } = pool();
    const before = await pid();
    process.kill(before, 'SIGSTOP');
    const error = await failure(run('ada', { value: { do: 'echo' } }, { ms: 60_000, longestMs: 100 }));
    expect(asUnavailable(error)).toMatchObject({ code: 'unavailable' });
    expect(error).toMatchObject({
      engine: 'system',
      message: expect.stringContaining('too little CPU time'),
    });
    expect(await pid()).not.toBe(before);
    await until(() => !isRunning(before));
  });

  test('replaces a child that has used half of its CPU time', async () => {
    const { pid } = pool({ limits: { memory: 1024 * MB, cpuSeconds: 0.002 } as ComputeDeps['limits'] });
    expect(await pid()).not.toBe(await pid());
  });

  test('ends idle children, and all when it stops', async () => {
    const { pid, stop } = pool({ idleMs: 1 });
    const ended = await pid();
    await until(() => !isRunning(ended));
    const warm = pool({ children: 2 });
    const running = await warm.pid();
    const spinning = failure(warm.job({ do: 'spin' }));
    // Ends after the other job was passed to the warm child.
    expect(await warm.pid('bob')).not.toBe(running);
    warm.stop();
    expect(await spinning).toBeInstanceOf(JobKilled);
    await until(() => !isRunning(running));
    stop();
    expect(await failure(pid())).toBeInstanceOf(Error);
  });

  test('keeps children whose process group is signalled, as by Ctrl-C in a terminal', async () => {
    const { pid } = pool();
    const child = await pid();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(child, signal);
    expect(await pid()).toBe(child);
  });

  // Only Linux ends a child when its parent ends.
  test.skipIf(process.platform !== 'linux')('leaves no child behind when the server is killed', async () => {
    const server = Bun.spawn([process.execPath, '-e', SERVER], { stdout: 'pipe', cwd: import.meta.dir });
    const { value } = await server.stdout.getReader().read();
    const children = new TextDecoder().decode(value).trim().split(' ').map(Number);
    expect(children).toHaveLength(2);
    server.kill('SIGKILL');
    for (const child of children) await until(() => !isRunning(child));
  });

  // The order in which Linux ends processes is set by /proc.
  test.skipIf(process.platform !== 'linux')('ends first when the system has no memory', async () => {
    const child = await pool().pid();
    expect(readFileSync(`/proc/${child}/oom_score_adj`, 'utf8')).toBe('1000\n');
  });

  // A single core is shared. Without /proc, the cores of a process are unknown.
  test.skipIf(coresOf('self').length < 2)('leaves half of the cores to the server', async () => {
    const own = coresOf('self');
    const { pid } = pool();
    expect(coresOf(await pid())).toEqual(own.slice(Math.ceil(own.length / 2)));
  });

  test('lowers the priority of a child whose job takes long, and keeps it so', async () => {
    const { job, pid } = pool({ ms: 2_000 });
    const child = await pid();
    expect(getPriority(child)).toBe(getPriority());
    const killed = failure(job({ do: 'spin' }));
    await until(() => getPriority(child) > getPriority());
    await killed;
    expect(getPriority(await pid('bob'))).toBe(getPriority());
  });

  test('runs the jobs of an owner at a low priority once the CPU time at the higher one is used up', async () => {
    const own = { burstMs: 1, msPerMinute: 0.001 };
    const all = { burstMs: 60_000, msPerMinute: 0.001 };
    const { pid } = pool({ shares: { own, all } });
    // The start of a child alone takes longer than a millisecond.
    expect(getPriority(await pid('ada'))).toBe(getPriority());
    const low = await pid('ada');
    expect(getPriority(low)).toBeGreaterThan(getPriority());
    expect(getPriority(await pid('bob'))).toBe(getPriority());
    expect(await pid('ada')).toBe(low);
  });

  test('runs the jobs of new owners at a low priority once the CPU time of all is used up', async () => {
    const { pid } = pool({ shares: { all: { burstMs: 1, msPerMinute: 0.001 } } });
    expect(getPriority(await pid('ada'))).toBe(getPriority());
    expect(getPriority(await pid('bob'))).toBeGreaterThan(getPriority());
  });

  test('runs jobs of pools without shares at a low priority, on all cores', async () => {
    const { pid } = pool({ shares: null });
    const child = await pid();
    expect(coresOf(child)).toEqual(coresOf('self'));
    expect(getPriority(child)).toBeGreaterThan(getPriority());
    expect(await pid()).toBe(child);
  });

  test('keeps a child for the others while one owner’s jobs run', async () => {
    const { job, pid, stop } = pool({ children: 2 });
    const spinning = Array.from({ length: 5 }, () => failure(job({ do: 'spin' }, { owner: 'mallory' })));
    expect(await pid('ada')).toBeGreaterThan(0);
    expect(await pid('bob')).toBeGreaterThan(0);
    stop();
    await Promise.all(spinning);
  });
});
