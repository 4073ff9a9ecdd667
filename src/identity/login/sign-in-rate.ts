import type { Clock } from '../../kernel/clock.ts';
import { type AddressLimit, createAddressLimit } from '../../kernel/limits/address-limit.ts';

/** Number of counted requests of one sign-in. */
const REQUESTS = 4;
/** A whole company can share one address. */
const SIGN_INS_AT_ONCE = 300;
const SIGN_INS_PER_MINUTE = 60;

/**
 * Counts the requests of sign-ins that cost storage or work, here or at the OpenID provider: the start, the
 * authorization request, the form, and the callback, which a browser can repeat.
 */
export function createSignInRate(limits: { clock: Clock; processes: number }): AddressLimit {
  return createAddressLimit(
    { burst: SIGN_INS_AT_ONCE * REQUESTS, perMinute: SIGN_INS_PER_MINUTE * REQUESTS, ...limits },
    'sign-ins',
  );
}
