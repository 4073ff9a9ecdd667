import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSettings } from './harness/backends.ts';
import { environment, MAIN, startProgram } from './harness/process.ts';
import { startProcess } from './harness/start.ts';
import { until } from './harness/until.ts';

const REFUSE = ['--preload', join(import.meta.dir, 'harness/refuse-seccomp.ts')];
/** A child of root has another user, and cannot signal the server. */
const REASON = `Programs for untrusted input have limits, but can access files, network${
  process.getuid?.() === 0 ? '' : ', processes'
}: the kernel refused the system call filter. Allow the system call seccomp, as containers do by default.`;

/** Returns the messages of the warnings of a server after it has loaded everything. */
async function warningsOf(server: { output(): string; stop(): Promise<number> }): Promise<string[]> {
  await until(() => server.output().includes('all modules are loaded'));
  const lines = server.output().split('\n');
  expect(await server.stop()).toBe(0);
  return lines
    .filter((line) => line.includes('"level":"warn"'))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
}

// Only Linux has system call filters.
describe.skipIf(process.platform !== 'linux')('a kernel that refuses system call filters', () => {
  test('is warned of soon after the start', async () => {
    const settings = { ...(await freshSettings('sqlite+local')), POSTHOUSE_LOG_LEVEL: 'debug' };
    expect(await warningsOf(await startProgram([...REFUSE, MAIN, 'serve'], settings))).toEqual([REASON]);
    expect(await warningsOf(await startProcess(settings))).toEqual([]);
  });

  test('is a fault in doctor', async () => {
    const child = Bun.spawn([process.execPath, ...REFUSE, MAIN, 'doctor', '--json'], {
      env: environment(await freshSettings('sqlite+local')),
      stdout: 'pipe',
    });
    const { ok, parts } = (await new Response(child.stdout).json()) as {
      ok: boolean;
      parts: { name: string; ok: boolean; detail: string }[];
    };
    expect([await child.exited, ok]).toEqual([1, false]);
    expect(parts.filter((part) => !part.ok)).toEqual([{ name: 'confinement', ok: false, detail: REASON }]);
  });
});
