import { getCookie } from 'hono/cookie';
import { type Clock, HOUR } from '../../kernel/clock.ts';
import { digestOf } from '../../kernel/crypto/digest.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Ctx } from '../../kernel/http/context.ts';
import { cookieName, setCookie } from './cookies.ts';

/** State of a login between its start and the callback. */
export interface PendingLogin {
  state: string;
  nonce: string;
  /** RFC 7636 §4.1. */
  codeVerifier: string;
  /** The origin of this server where it started. */
  origin: string;
  returnTo: string;
}

/** The content of a cookie. */
interface ExpiringLogin extends PendingLogin {
  /** Milliseconds. */
  endsAt: number;
}

const LIFETIME_MS = HOUR;
const PURPOSE = 'pending login';
/** Abandoned logins accumulate in the browser, and browsers limit cookies to some kilobytes. */
const MAX_PENDING = 5;

interface PendingLoginsDeps {
  vault: Vault;
  clock: Clock;
  secure: boolean;
}

/** Stores logins in sealed cookies, one for each: several tabs can sign in at once, on any node. */
export interface PendingLogins {
  store(c: Ctx, login: PendingLogin): void;
  /**
   * Removes and returns the login with this `state`; null when it started in another browser, or too long
   * ago.
   */
  take(c: Ctx, state: string): PendingLogin | null;
}

export function createPendingLogins({ vault, clock, secure }: PendingLoginsDeps): PendingLogins {
  const prefix = cookieName('posthouse-login-', secure);
  const nameOf = (state: string) => prefix + digestOf(state).slice(0, 10);
  const set = (c: Ctx, name: string, value: string, lifetimeMs: number) =>
    setCookie(c, name, value, { lifetimeMs, secure });

  return {
    store(c, login) {
      const earlier = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
      if (earlier.length >= MAX_PENDING) for (const name of earlier) set(c, name, '', 0);
      const expiring: ExpiringLogin = { ...login, endsAt: clock.now() + LIFETIME_MS };
      set(c, nameOf(login.state), vault.seal(PURPOSE, login.state, JSON.stringify(expiring)), LIFETIME_MS);
    },

    take(c, state) {
      const name = nameOf(state);
      const sealed = getCookie(c, name);
      if (!sealed) return null;
      set(c, name, '', 0);
      try {
        const { endsAt, ...login } = JSON.parse(vault.open(PURPOSE, state, sealed)) as ExpiringLogin;
        return login.state === state && endsAt > clock.now() ? login : null;
      } catch {
        return null;
      }
    },
  };
}
