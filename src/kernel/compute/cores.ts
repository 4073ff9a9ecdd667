import { ptr } from 'bun:ffi';
import { openCLibrary } from './c-library.ts';

/** Size of a set of cores (`cpu_set_t`), one bit for each. */
const SET_BYTES = 128;

/**
 * Returns a function that restricts a process, and those that it starts later, to the upper half of the cores of this
 * process: a low priority alone does not leave a core to the server, which the kernel also moves between cores that
 * children occupy. It does nothing where there is one core only, or the system does not have sched_setaffinity(2).
 */
export function openCores(): (pid: number) => void {
  const library = process.platform === 'linux' ? openLibrary() : null;
  const all = new Uint8Array(SET_BYTES);
  if (!library || library.sched_getaffinity(0, SET_BYTES, ptr(all)) < 0) return () => {};
  const own = numbersIn(all);
  if (own.length < 2) return () => {};
  const upper = setOf(own.slice(Math.ceil(own.length / 2)));
  return (pid) => void library.sched_setaffinity(pid, SET_BYTES, ptr(upper));
}

function openLibrary() {
  return openCLibrary({
    sched_getaffinity: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
    sched_setaffinity: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
  });
}

function numbersIn(set: Uint8Array): number[] {
  return Array.from({ length: SET_BYTES * 8 }, (_, core) => core).filter(
    (core) => ((set[core >> 3] ?? 0) >> (core & 7)) & 1,
  );
}

function setOf(cores: readonly number[]): Uint8Array {
  const set = new Uint8Array(SET_BYTES);
  for (const core of cores) set[core >> 3] = (set[core >> 3] ?? 0) | (1 << (core & 7));
  return set;
}
