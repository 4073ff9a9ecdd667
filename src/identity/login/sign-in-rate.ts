import type { Clock } from '../../kernel/clock.ts';
import { limitKey } from '../../kernel/ip.ts';
import { createRateLimit } from '../../kernel/limits/rates.ts';
import { tooMany } from '../../kernel/problem.ts';

/**
 * Counts one request of a sign-in that costs storage or work: its start, the authorization request, and the form.
 * @param address network address of the client
 * @throws Problem 429 `rate_limited`
 */
export type SignInRate = (address: string) => void;

/** Number of counted requests of one sign-in. */
const REQUESTS = 3;
/** A whole company can share one address. */
const SIGN_INS_AT_ONCE = 300;
const SIGN_INS_PER_MINUTE = 60;

export function createSignInRate(limits: { clock: Clock; processes: number }): SignInRate {
  const addresses = createRateLimit({
    burst: SIGN_INS_AT_ONCE * REQUESTS,
    perMinute: SIGN_INS_PER_MINUTE * REQUESTS,
    ...limits,
  });
  return (address) => {
    const waitMs = addresses.take(limitKey(address));
    if (waitMs > 0) throw tooMany('rate_limited', 'Too many sign-ins from this address.', waitMs);
  };
}
