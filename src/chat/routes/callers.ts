import type { Auth } from '../../kernel/http/auth.ts';
import type { AddressLimit } from '../../kernel/limits/address-limit.ts';

/** Admits anyone, within the rate limit of the address. */
export function createAnonymous(limit: AddressLimit): Auth<null> {
  return {
    name: 'anyone',
    security: [],
    problems: () => ['rate_limited'],
    authenticate(c) {
      limit(c.env.address);
      return null;
    },
    idOf: () => null,
  };
}
