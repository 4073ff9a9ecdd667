import { expect, test } from 'bun:test';
import { namesOfCLibrary } from './c-library.ts';

test('macOS has one C library, Linux one of two', () => {
  expect(namesOfCLibrary({ platform: 'darwin', arch: 'arm64' })).toEqual(['/usr/lib/libSystem.B.dylib']);
  expect(namesOfCLibrary({ platform: 'linux', arch: 'x64' })).toEqual(['libc.so.6', 'libc.musl-x86_64.so.1']);
  expect(namesOfCLibrary({ platform: 'linux', arch: 'arm64' })).toEqual([
    'libc.so.6',
    'libc.musl-aarch64.so.1',
  ]);
});
