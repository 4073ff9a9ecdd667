import { dlopen, type FFIFunction } from 'bun:ffi';

/** The C library of most systems, and that of Alpine Linux. */
const NAMES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`];

/** Returns functions of the C library; null = it was not found. */
export function openCLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const name of NAMES) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // The other library.
    }
  }
  return null;
}
