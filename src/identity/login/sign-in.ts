import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { type AddressLimit, createAddressLimit } from '../../kernel/limits/address-limit.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { Accounts } from '../accounts.ts';
import { type BrowserSignIn, createBrowserSignIn } from './browser-sign-in.ts';
import { createDevices, type Devices } from './devices.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';
import { createSignInMetrics, type SignInMetrics } from './sign-in-metrics.ts';

/** Number of counted requests of one sign-in. */
const REQUESTS = 4;
/** A whole company can share one address. */
const SIGN_INS_AT_ONCE = 300;
const SIGN_INS_PER_MINUTE = 60;

interface SignInDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  metrics: Metrics;
  accounts: Accounts;
  /** True when the public URL is https. */
  secure: boolean;
  /** Number of processes of this server. */
  processes: number;
}

/** The modules that every way to sign in uses. */
export interface SignIn {
  cookie: SessionCookie;
  devices: Devices;
  browserSignIn: BrowserSignIn;
  /**
   * Counts the requests of sign-ins that cost storage or work, here or at the OpenID provider: the start, the
   * authorization request, the form, and the callback, which a browser can repeat.
   */
  signInRate: AddressLimit;
  signIns: SignInMetrics;
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { database, clock, vault, metrics, accounts, secure, processes } = deps;
  const cookie = createSessionCookie(secure);
  const devices = createDevices({ database, accounts, vault, clock, secure });
  return {
    cookie,
    devices,
    browserSignIn: createBrowserSignIn({ accounts, cookie, devices, secure }),
    signInRate: createAddressLimit(
      {
        burst: SIGN_INS_AT_ONCE * REQUESTS,
        perMinute: SIGN_INS_PER_MINUTE * REQUESTS,
        clock,
        processes,
      },
      'sign-ins',
    ),
    signIns: createSignInMetrics(metrics),
  };
}
