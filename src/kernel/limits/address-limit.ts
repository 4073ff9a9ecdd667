import { limitKey } from '../ip.ts';
import { tooMany } from '../problem.ts';
import { createRateLimit, type Rate } from './rates.ts';

/**
 * Counts a request of a network address.
 * @throws Problem 429 `rate_limited`
 */
export type AddressLimit = (address: string) => void;

/** Limits the requests of each network address. @param counted names the requests in the error, in the plural */
export function createAddressLimit(rate: Rate, counted = 'requests'): AddressLimit {
  const limit = createRateLimit(rate);
  return (address) => {
    const waitMs = limit.take(limitKey(address));
    if (waitMs > 0) throw tooMany('rate_limited', `Too many ${counted} from this address.`, waitMs);
  };
}
