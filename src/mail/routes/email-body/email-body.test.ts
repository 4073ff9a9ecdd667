import { expect, test } from 'bun:test';
import { asProblem } from '../../../kernel/http/problems/refusals.ts';
import { createLog } from '../../../kernel/log.ts';
import { notRead } from './email-body.ts';

test.each([
  ['time', 'unavailable'],
  ['crash', 'unavailable'],
  ['memory', 'invalid_request'],
  ['output', 'invalid_request'],
] as const)('a large body whose child was ended for %s is refused as %s', (reason, code) => {
  expect(asProblem(notRead({ reason }), createLog('silent'), 'id')).toMatchObject({ code });
});
