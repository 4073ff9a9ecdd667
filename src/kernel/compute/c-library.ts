import { dlopen, type FFIFunction } from 'bun:ffi';

interface System {
  platform: string;
  arch: string;
}

/**
 * Returns the file names under which a system may have its C library: on Linux, those of glibc and of musl (Alpine).
 */
export function namesOfCLibrary({ platform, arch }: System): string[] {
  if (platform === 'darwin') return ['/usr/lib/libSystem.B.dylib'];
  return ['libc.so.6', `libc.musl-${arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`];
}

/** Returns functions of the C library; null = it was not found, or does not have all of them. */
export function openCLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const name of namesOfCLibrary(process)) {
    try {
      return dlopen(name, functions).symbols;
    } catch {
      // Not installed under this name.
    }
  }
  return null;
}
