import { describe, expect, test } from 'bun:test';
import { errorOf, retryAfter, unreachable } from './error.ts';

describe('an error response', () => {
  test('has the code, text, fields and request of a problem document', () => {
    const problem = {
      type: '/docs/errors#invalid_request',
      status: 400,
      code: 'invalid_request',
      detail: 'The field name is missing.',
      errors: [{ path: 'name', message: 'must not be empty' }],
      requestId: 'r1',
    };
    const error = errorOf(400, JSON.stringify(problem));
    expect(error).toMatchObject({ name: 'PosthouseError', status: 400, code: 'invalid_request' });
    expect(error.message).toBe(problem.detail);
    expect([error.errors, error.requestId, error.retryAfterMs]).toEqual([problem.errors, 'r1', null]);
  });

  test.each(['<h1>Bad gateway</h1>', '{}', 'null', '[1]', ''])(
    'without a problem document names the status: %p',
    (text) => {
      const error = errorOf(502, text, 3_000);
      expect([error.status, error.code, error.retryAfterMs]).toEqual([502, 'unknown', 3_000]);
      expect(error.message).toBe('The server responded with status 502.');
    },
  );

  test('of no server has status 0', () => {
    expect([unreachable().status, unreachable().code, unreachable().requestId]).toEqual([
      0,
      'unreachable',
      null,
    ]);
  });
});

test.each([
  [null, null],
  ['0', 0],
  ['120', 120_000],
  ['Fri, 31 Dec 1999 23:59:59 GMT', 59_000],
  ['Fri, 31 Dec 1999 23:58:00 GMT', 0],
  ['soon', null],
])('Retry-After %p is %p ms', (header, ms) => {
  expect(retryAfter(header, Date.UTC(1999, 11, 31, 23, 59))).toBe(ms);
});
