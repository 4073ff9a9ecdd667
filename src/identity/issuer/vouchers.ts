import type { Caller } from '../caller.ts';
import type { Payloads } from './payloads.ts';

/**
 * Passes the id of a session at the first address from the issuer to the callback of the sign-in at another address
 * that uses it, so that one sign-out ends both.
 */
export interface Vouchers {
  /** @param state of the authorization request */
  store(state: string, session: Pick<Caller, 'credentialId' | 'accountId'>): Promise<void>;
  /**
   * Returns the id of the session, once; null = the person has entered the password for this sign-in. The session of
   * another account, which has opened the address of this authorization request, is ignored.
   */
  take(state: string, accountId: string): Promise<string | null>;
}

const LIFETIME_SECONDS = 600;

export function createVouchers({ adapterOf }: Pick<Payloads, 'adapterOf'>): Vouchers {
  const adapter = adapterOf('Voucher');
  return {
    async store(state, { credentialId, accountId }) {
      await adapter.upsert(state, { sessionId: credentialId, accountId }, LIFETIME_SECONDS);
    },
    async take(state, accountId) {
      const found = await adapter.find(state);
      if (!found) return null;
      await adapter.destroy(state);
      return found.accountId === accountId ? String(found.sessionId) : null;
    },
  };
}
