import { ptr } from 'bun:ffi';
import { openCLibrary } from '../../src/kernel/compute/c-library.ts';
import { SECCOMP } from '../../src/kernel/compute/system-calls.ts';

/*
 * Preloaded by `bun --preload`, on Linux: makes the kernel refuse the system call `seccomp` to this process and those
 * that it starts, as in containers that do not pass it.
 */

const NO_NEW_PRIVILEGES = 38;
const FILTER_MODE = 1;
const ALL_THREADS = 1;
const ALLOW = 0x7fff_0000;
const FAIL_EPERM = 0x0005_0001;

const library = openCLibrary({
  prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
  syscall: { args: ['i64', 'u64', 'u64', 'ptr'], returns: 'i64' },
});
const number = SECCOMP[process.arch === 'arm64' ? 1 : 0] ?? 0;

/** Instructions of classic BPF: code, jumps, value. */
const instructions = [
  [0x20, 0, 0, 0],
  [0x15, 0, 1, number],
  [0x06, 0, 0, FAIL_EPERM],
  [0x06, 0, 0, ALLOW],
] as const;
const filter = Buffer.alloc(instructions.length * 8);
for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
  filter.writeUInt16LE(code, index * 8);
  filter.writeUInt8(ifTrue, index * 8 + 2);
  filter.writeUInt8(ifFalse, index * 8 + 3);
  filter.writeUInt32LE(value, index * 8 + 4);
}
const program = Buffer.alloc(16);
program.writeUInt16LE(instructions.length, 0);
program.writeBigUInt64LE(BigInt(ptr(filter)), 8);

library?.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0);
const failed = library?.syscall(number, FILTER_MODE, ALL_THREADS, ptr(program));
if (Number(failed) !== 0) throw new Error('the filter was not installed');
