import {
  ARCHITECTURES,
  DENIED_CALLS,
  MISSING_CALLS,
  NEWEST_CALL,
  OWN_PROCESS_CALLS,
  SELF_CALLS,
  THREAD_CALLS,
} from './system-calls.ts';

/*
 * A filter of system calls (https://docs.kernel.org/userspace-api/seccomp_filter.html): a program of classic
 * BPF over `struct seccomp_data`, which returns the action for the call.
 */
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER = 0x25;
const JUMP_BITS = 0x45;
const RETURN = 0x06;

const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
/** The low half of the first argument, little-endian. */
const ARGUMENT_AT = 16;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const FAIL = 0x0005_0000;
const EACCES = 13;
const ENOSYS = 38;
/** Bit of the system calls of the x32 ABI, whose numbers would otherwise pass a filter of the usual ones. */
const X32_BIT = 0x4000_0000;
const CLONE_THREAD = 0x0001_0000;

/** `struct sock_filter`: jumps are relative to the next instruction. */
type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];
const INSTRUCTION_BYTES = 8;

export type Architecture = keyof typeof ARCHITECTURES;

/** Returns the filter of a process that computes: it keeps its open files, memory and threads, and opens no others. */
export function computeFilter(architecture: Architecture, pid: number): Uint8Array {
  const { audit, column } = ARCHITECTURES[architecture];
  const numbers = (calls: readonly (readonly (number | null)[])[]) =>
    calls.map((call) => call[column] ?? null).filter((number) => number !== null);
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [JUMP_EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
    // Calls that are newer than the list, and those with the x32 bit, which is higher.
    ...only([JUMP_GREATER, 0, 1, Math.min(NEWEST_CALL, X32_BIT)], FAIL | ENOSYS),
    ...numbers(MISSING_CALLS).flatMap((number) => only([JUMP_EQUAL, 0, 1, number], FAIL | ENOSYS)),
    ...numbers(Object.values(DENIED_CALLS)).flatMap((number) =>
      only([JUMP_EQUAL, 0, 1, number], FAIL | EACCES),
    ),
    ...numbers(OWN_PROCESS_CALLS).flatMap((number) => unless(number, [JUMP_EQUAL, 1, 0, pid])),
    ...numbers(SELF_CALLS).flatMap((number) => unless(number, [JUMP_EQUAL, 1, 0, 0])),
    ...numbers(THREAD_CALLS).flatMap((number) => unless(number, [JUMP_BITS, 1, 0, CLONE_THREAD])),
    [RETURN, 0, 0, ALLOW],
  ];
  return encoded(program);
}

/** Returns instructions that end the filter with `result` when `condition` holds. */
function only(condition: Instruction, result: number): Instruction[] {
  return [condition, [RETURN, 0, 0, result]];
}

/** Refuses a call unless `condition` holds for its first argument. */
function unless(number: number, condition: Instruction): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 4, number],
    [LOAD, 0, 0, ARGUMENT_AT],
    condition,
    [RETURN, 0, 0, FAIL | EACCES],
    [RETURN, 0, 0, ALLOW],
  ];
}

function encoded(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(ifTrue, at + 2);
    bytes.writeUInt8(ifFalse, at + 3);
    bytes.writeUInt32LE(value >>> 0, at + 4);
  }
  return bytes;
}
