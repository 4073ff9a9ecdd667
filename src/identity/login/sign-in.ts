import type { Clock } from '../../kernel/clock.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { AddressLimit } from '../../kernel/limits/address-limit.ts';
import type { Metrics } from '../../kernel/metrics/metrics.ts';
import type { Accounts } from '../accounts.ts';
import { type BrowserSignIn, createBrowserSignIn } from './browser-sign-in.ts';
import { createDevices, type Devices } from './devices.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';
import { createSignInMetrics, type SignInMetrics } from './sign-in-metrics.ts';
import { createSignInRate } from './sign-in-rate.ts';

interface SignInDeps {
  database: Database;
  clock: Clock;
  vault: Vault;
  metrics: Metrics;
  accounts: Accounts;
  /** True when the public URL is https. */
  secure: boolean;
  /** Processes of this server. */
  processes: number;
}

/** The modules that every way to sign in uses. */
export interface SignIn {
  cookie: SessionCookie;
  devices: Devices;
  browserSignIn: BrowserSignIn;
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
    signInRate: createSignInRate({ clock, processes }),
    signIns: createSignInMetrics(metrics),
  };
}
