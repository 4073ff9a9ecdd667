import { MB, piecesOf } from '../bytes.ts';
import { nextRound } from '../event-loop/next-round.ts';
import type { GiveWay } from '../event-loop/time-slices.ts';
import { openCores } from './cores.ts';
import { type ChildPriority, LOW_NICE } from './priority.ts';

export interface ChildLimits {
  /** Bytes of resident memory. */
  memory: number;
  /** Total CPU time in seconds (RLIMIT_CPU); it also ends a child whose parent was killed. */
  cpuSeconds: number;
}

interface SpawnOptions {
  limits: Pick<ChildLimits, 'cpuSeconds'>;
  priority?: ChildPriority;
  /** Added to the environment, which is otherwise empty, since that of the server contains secrets. */
  env?: Record<string, string>;
  /** Time after which the child is killed. */
  ms?: number;
}

export type LimitedChild = Bun.Subprocess<'pipe', 'pipe', 'pipe'>;

const restrictCores = openCores();
/**
 * Runs a program without core dumps, with $1 seconds of CPU time, at the nice value $2. It ignores the signals that
 * stop the server and that a terminal or a service manager sends to all processes: the server finishes its requests,
 * and its end closes the input of the children. When a machine or a container has no memory left, Linux kills a child
 * rather than the server (proc_pid_oom_score_adj(5)).
 */
const UNDER_LIMITS =
  'trap "" HUP INT TERM; ulimit -c 0 2>/dev/null; ulimit -t "$1" 2>/dev/null; ' +
  '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; ' +
  'nice=$2; shift 2; exec nice -n "$nice" "$@"';

/** Starts `program`, a TypeScript file that calls `confine`, in a child process for work on untrusted input. */
export function spawnLimited(
  program: string,
  args: readonly string[],
  { limits, priority = 'low', env, ms }: SpawnOptions,
): LimitedChild {
  const limited = [
    String(limits.cpuSeconds),
    String(priority === 'prompt' ? 0 : LOW_NICE),
    process.execPath,
    program,
    ...args,
  ];
  const child = Bun.spawn(['/bin/sh', '-c', UNDER_LIMITS, 'limited', ...limited], {
    env: { PATH: '/usr/bin:/bin', ...env },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    killSignal: 'SIGKILL',
    ...(ms === undefined ? {} : { timeout: ms }),
  });
  if (priority !== 'background') restrictCores(child.pid);
  return child;
}

/** Maximum number of bytes to write before other events are handled. */
const MOST_AT_ONCE = MB / 4;

/** Writes to a child as fast as it reads. @returns false when the child has exited; its exit status is the reason */
export async function writeTo(
  child: LimitedChild,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  giveWay: GiveWay = nextRound,
): Promise<boolean> {
  let gone = false;
  const exited = child.exited.then(() => {
    gone = true;
  });
  let since = 0;
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk, MOST_AT_ONCE)) {
      if (since >= MOST_AT_ONCE) {
        since = 0;
        await giveWay();
      }
      since += piece.length;
      if (gone) return false;
      try {
        await Promise.race([Promise.all([child.stdin.write(piece), child.stdin.flush()]), exited]);
      } catch {
        return false;
      }
    }
  }
  return !gone;
}

/** Ends the standard input of a child, if it has not exited. */
export async function endInput({ stdin }: LimitedChild): Promise<void> {
  try {
    await stdin.end();
  } catch {
    // The pipe is closed already.
  }
}
