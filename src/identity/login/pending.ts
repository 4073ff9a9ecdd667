import { getCookie } from 'hono/cookie';
import { type Clock, HOUR } from '../../kernel/clock.ts';
import { hashToken, type Vault } from '../../kernel/crypto/vault.ts';
import type { Ctx } from '../../kernel/http/context.ts';

/** What must be remembered of a login between its beginning and its end. */
export interface PendingLogin {
  state: string;
  nonce: string;
  /** RFC 7636 §4.1. */
  codeVerifier: string;
  /** Under which of our origins it was begun. */
  origin: string;
  returnTo: string;
}

const LIFETIME_MS = HOUR;
const PURPOSE = 'pending login';
/** Logins that were begun and not finished pile up in the browser; browsers send cookies of some kilobytes only. */
const MOST = 5;

export type PendingLogins = ReturnType<typeof createPendingLogins>;

/** Remembers logins in sealed cookies, one for each, so that several tabs can sign in at once and no node has to know. */
export function createPendingLogins({ vault, clock, secure }: { vault: Vault; clock: Clock; secure: boolean }) {
  const prefix = `${secure ? '__Host-' : ''}posthouse-login-`;
  const nameOf = (state: string) => prefix + hashToken(state).slice(0, 10);
  const set = (c: Ctx, name: string, value: string, lifetimeMs: number) =>
    c.header('Set-Cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${lifetimeMs / 1000}${secure ? '; Secure' : ''}`, {
      append: true,
    });

  return {
    remember(c: Ctx, login: PendingLogin): void {
      const earlier = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
      if (earlier.length >= MOST) for (const name of earlier) set(c, name, '', 0);
      set(c, nameOf(login.state), vault.seal(PURPOSE, JSON.stringify({ ...login, endsAt: clock.now() + LIFETIME_MS })), LIFETIME_MS);
    },

    /** The login with this `state`, which is forgotten; null when this browser did not begin it, or too long ago. */
    take(c: Ctx, state: string): PendingLogin | null {
      const name = nameOf(state);
      const sealed = getCookie(c, name);
      if (!sealed) return null;
      set(c, name, '', 0);
      try {
        const { endsAt, ...login } = JSON.parse(vault.open(PURPOSE, sealed)) as PendingLogin & { endsAt: number };
        return login.state === state && endsAt > clock.now() ? login : null;
      } catch {
        return null;
      }
    },
  };
}
