import { expect, test } from 'bun:test';
import { isStorageFull } from './storage-full.ts';

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code });

test.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])(
  '%s is the error of a full disk, also as the cause of another error',
  (code) => {
    expect(isStorageFull(withCode(code))).toBe(true);
    expect(isStorageFull(new Error('outer', { cause: withCode('other', withCode(code)) }))).toBe(true);
  },
);

test('other errors are not', () => {
  expect([withCode('EACCES'), new Error('ENOSPC'), 'ENOSPC', null].map(isStorageFull)).toEqual(
    Array(4).fill(false),
  );
});
