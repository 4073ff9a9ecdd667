import { SECOND } from '../../kernel/clock.ts';
import { endInput, spawnLimited } from '../../kernel/compute/spawn.ts';
import { programFile } from '../../kernel/program-files.ts';
import { CheckFailed } from '../check.ts';

/** Resources that a child for untrusted input can reach. */
export interface Abilities {
  /** Why it is not confined; null = it is. */
  reason: string | null;
  files: boolean;
  network: boolean;
  processes: boolean;
}

const PROGRAM = programFile('doctor/confinement/child');
const LIMITS = { cpuSeconds: 10 };

/** Checks that the children that work on untrusted input (pictures, templates) reach nothing but their pipes. */
export async function checkConfinement(): Promise<string> {
  const { reason, ...can } = await testInChild();
  const open = Object.entries(can).flatMap(([name, possible]) => (possible ? [name] : []));
  if (open.length === 0)
    return 'Programs for untrusted input cannot access files, networks or other processes (seccomp).';
  const fault = `Programs for untrusted input have limits, but can access ${open.join(', ')}`;
  if (process.platform !== 'linux') return `${fault}, since ${reason}.`;
  throw new CheckFailed(
    `${fault}: ${reason ?? 'the filter has no effect'}. Allow the system call seccomp, as containers do by default.`,
  );
}

async function testInChild(): Promise<Abilities> {
  const child = spawnLimited(PROGRAM, [], { limits: LIMITS, ms: 10 * SECOND });
  await endInput(child);
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (output === '') throw new CheckFailed(`A program for untrusted input does not start: ${errors}`);
  return JSON.parse(output) as Abilities;
}
