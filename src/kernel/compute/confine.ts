import { ptr } from 'bun:ffi';
import { openCLibrary } from './c-library.ts';
import { endWithParent } from './end-with-parent.ts';
import { type Architecture, computeFilter } from './seccomp.ts';
import { ARCHITECTURES, SECCOMP } from './system-calls.ts';
import { ownData } from './usage.ts';

/** `struct sock_fprog`: a count of 16 bits and, aligned to 8 bytes, the address of the instructions. */
const PROGRAM_BYTES = 16;
const INSTRUCTION_BYTES = 8;
const RLIMIT_DATA = 2;
const SET_NO_NEW_PRIVILEGES = 38;
const SET_MODE_FILTER = 1;
/** Flag: the filter applies to all threads of the process. */
const SYNCHRONIZE = 1;
/** User and group id of `nobody`. */
const UNPRIVILEGED_ID = 65_534;

/**
 * Removes, for the rest of the life of this process, the privileges that work on untrusted input does not need: no file
 * can be opened or changed, no connection made, no process started, read or signalled, and root becomes `nobody`. The
 * process ends with the one that started it. Open files stay usable, so load the code and the data of the work before.
 * @param memory bytes of data and anonymous memory that may be added (RLIMIT_DATA). The address space cannot be
 *   limited, since the runtime reserves far more of it than it uses
 * @returns null, or the reason why the system does not enforce these restrictions
 */
export function confine(memory: number): string | null {
  if (process.platform !== 'linux') return `${process.platform} has no system call filters`;
  if (!(process.arch in ARCHITECTURES)) return `the filter does not support ${process.arch}`;
  const library = openLibrary();
  if (!library) return 'the C library was not found';
  limitData(library, ownData() + memory);
  if (process.getuid?.() === 0) becomeNobody(library);
  // After the change of the user, which would cancel it. A job can be endless, and only the server ends it.
  endWithParent();
  if (library.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0) !== 0) return 'privileges could not be given up';
  return installFilter(library) ? null : 'the kernel refused the system call filter';
}

type Library = NonNullable<ReturnType<typeof openLibrary>>;

function openLibrary() {
  return openCLibrary({
    prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
    syscall: { args: ['i64', 'u64', 'u64', 'ptr'], returns: 'i64' },
    setrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
    setgroups: { args: ['u64', 'ptr'], returns: 'i32' },
    setresgid: { args: ['u32', 'u32', 'u32'], returns: 'i32' },
    setresuid: { args: ['u32', 'u32', 'u32'], returns: 'i32' },
  });
}

/** Called before the filter is installed, since the limit also helps where there is no filter. */
function limitData({ setrlimit }: Library, bytes: number): void {
  const limit = new BigUint64Array([BigInt(bytes), BigInt(bytes)]);
  setrlimit(RLIMIT_DATA, ptr(limit));
}

/**
 * The functions of the C library change all threads, unlike the system calls. They fail in a container without that
 * user; the filter still applies there.
 */
function becomeNobody({ setgroups, setresgid, setresuid }: Library): void {
  const id = UNPRIVILEGED_ID;
  setgroups(0, null);
  setresgid(id, id, id);
  setresuid(id, id, id);
}

function installFilter({ syscall }: Library): boolean {
  const architecture = process.arch as Architecture;
  const filter = computeFilter(architecture, process.pid);
  const program = Buffer.alloc(PROGRAM_BYTES);
  program.writeUInt16LE(filter.length / INSTRUCTION_BYTES, 0);
  program.writeBigUInt64LE(BigInt(ptr(filter)), 8);
  const number = SECCOMP[ARCHITECTURES[architecture].column] ?? 0;
  return Number(syscall(number, SET_MODE_FILTER, SYNCHRONIZE, ptr(program))) === 0;
}
