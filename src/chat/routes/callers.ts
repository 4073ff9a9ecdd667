import type { Auth } from '../../kernel/http/auth.ts';
import { limitKey } from '../../kernel/ip.ts';
import type { RateLimit } from '../../kernel/limits/rates.ts';
import { tooMany } from '../../kernel/problem.ts';

/** Admits anyone, within the rate limit of the address. */
export function createAnonymous(addresses: RateLimit): Auth<null> {
  return {
    name: 'anyone',
    security: [],
    problems: () => ['rate_limited'],
    authenticate(c) {
      const wait = addresses.take(limitKey(c.env.address));
      if (wait > 0) throw tooMany('rate_limited', 'Too many requests from this address.', wait);
      return null;
    },
  };
}
