import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import type { Log } from '../../kernel/log.ts';
import { createTurns, RETRY_STEP_MS } from './turns.ts';

/**
 * Pauses accounts, or senders of them, whose e-mails a server refuses, so that no e-mail fails because of its account
 * or sender.
 */
export interface AccountPauses {
  /**
   * Returns the time until an e-mail of a paused account is to be tried again, ms, later for each e-mail; 0 = it is not
   * paused. The first e-mail after a pause tests the account.
   */
  waitMs(key: string): number;
  /** Returns the server's reply that paused an account; empty = it is not paused. */
  reasonOf(key: string): string;
  /** Pauses an account, longer after each refusal. @param reason the server's reply, for administrators */
  refused(account: Account, reason: string): void;
  /** Ends the pauses of an account. */
  accepted(account: Account): void;
}

interface Account {
  /** Differs when the credentials are changed, which ends the pause. */
  key: string;
  name: string;
  server: string;
}

const FIRST_PAUSE_MS = 30 * SECOND;
const MAX_PAUSE_MS = 15 * MINUTE;
const ACCOUNTS_KEPT = 10_000;

/** @param clock of this node: each node has its own pauses */
export function createAccountPauses({ log, ...deps }: { clock: Clock; log: Log }): AccountPauses {
  const clock = steadyClock(deps.clock);
  const turns = createTurns(clock);
  const paused = createCache<{ until: number; ms: number; reason: string }>({ max: ACCOUNTS_KEPT });
  return {
    waitMs(key) {
      const until = paused.get(key)?.until ?? 0;
      const left = until - clock.now();
      // Each pause has separate turns, since a later one may be shorter.
      return left > 0 ? turns.next(`${until} ${key}`, left, RETRY_STEP_MS) : 0;
    },
    reasonOf: (key) => paused.get(key)?.reason ?? '',
    refused({ key, name, server }, reason) {
      const last = paused.get(key);
      // From a delivery that began before the pause.
      if (last && last.until > clock.now()) return;
      const ms = last ? Math.min(last.ms * 2, MAX_PAUSE_MS) : FIRST_PAUSE_MS;
      paused.set(key, { until: clock.now() + ms, ms, reason });
      log.warn({ account: name, server, reason, pausedForMs: ms }, 'a mail server refuses this account');
    },
    accepted({ key, name, server }) {
      if (paused.delete(key)) log.info({ account: name, server }, 'a mail server accepts this account again');
    },
  };
}
