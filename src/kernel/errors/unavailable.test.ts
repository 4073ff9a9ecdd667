import { expect, test } from 'bun:test';
import { asUnavailable } from './unavailable.ts';

test.each([
  ['a network file system that lost a file', 'ESTALE'],
  ['a file system whose program has ended', 'ENOTCONN'],
  ['a disk that was removed', 'ENODEV'],
])('%s makes the file store unavailable', (_, code) => {
  const cause = Object.assign(new Error('cannot read'), { code });
  expect(asUnavailable(new Error('a download failed', { cause }))).toMatchObject({
    code: 'unavailable',
    detail: 'The file store of the server cannot be used at the moment.',
  });
});
