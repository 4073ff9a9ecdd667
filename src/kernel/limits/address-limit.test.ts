import { expect, test } from 'bun:test';
import { createAddressLimit } from './address-limit.ts';

test('refuses requests beyond the limit of an address, and names them', () => {
  const limit = createAddressLimit({ burst: 1, perMinute: 1, clock: { now: () => 0 } }, 'sign-ins');
  limit('192.0.2.1');
  limit('192.0.2.2');
  const problem = {
    code: 'rate_limited',
    detail: 'Too many sign-ins from this address.',
    retryAfterMs: 60_000,
  };
  expect(() => limit('192.0.2.1')).toThrow(expect.objectContaining(problem));
});
