import type { Payloads } from './payloads.ts';

/**
 * Passes the id of a session at the first address from the issuer to the callback of the sign-in at another address
 * that uses it, so that one sign-out ends both.
 */
export interface Vouchers {
  /** @param state of the authorization request */
  store(state: string, sessionId: string): Promise<void>;
  /** Returns the id of the session, once; null = the person has entered the password for this sign-in. */
  take(state: string): Promise<string | null>;
}

const LIFETIME_SECONDS = 600;

export function createVouchers({ adapterOf }: Pick<Payloads, 'adapterOf'>): Vouchers {
  const adapter = adapterOf('Voucher');
  return {
    async store(state, sessionId) {
      await adapter.upsert(state, { sessionId }, LIFETIME_SECONDS);
    },
    async take(state) {
      const found = await adapter.find(state);
      if (!found) return null;
      await adapter.destroy(state);
      return String(found.sessionId);
    },
  };
}
