import type { Payloads } from './payloads.ts';

/**
 * Hands the session at the first address, on which a sign-in at another one rests, from the issuer to the callback
 * of that sign-in, so that one sign-out ends both.
 */
export interface Vouchers {
  /** @param state of the authorization request */
  leave(state: string, sessionId: string): Promise<void>;
  /** Returns the id of the session, once; null = the person has entered the password for this sign-in. */
  take(state: string): Promise<string | null>;
}

const LIFETIME_SECONDS = 600;

export function createVouchers({ adapterOf }: Pick<Payloads, 'adapterOf'>): Vouchers {
  const adapter = adapterOf('Voucher');
  return {
    async leave(state, sessionId) {
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
