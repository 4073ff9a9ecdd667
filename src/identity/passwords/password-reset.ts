import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Language } from '../../kernel/language.ts';
import { createAddressLimit } from '../../kernel/limits/address-limit.ts';
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts';
import { createSharedRates } from '../../kernel/limits/shared-rates.ts';
import type { Log } from '../../kernel/log.ts';
import type { AccountMails } from '../account-mails.ts';
import type { Accounts } from '../accounts.ts';
import type { PasswordLinks } from './password-links.ts';

interface Client {
  address: string;
  language: Language;
}

/**
 * Requests of people who forgot their password. Neither the response nor its timing reveals whether an address has an
 * account, since the account is looked up after the response (OWASP Forgot Password Cheat Sheet).
 */
export interface PasswordReset {
  /**
   * E-mails a link to the account of `email`, if there is one, in the background.
   * @param client its network address, and its language for a person whose language is unknown
   * @throws Problem 429 `rate_limited`
   */
  request(email: string, client: Client): void;
  sweep(): Promise<void>;
  /** Waits for the e-mails of the requests whose responses were sent. */
  stop(): Promise<void>;
}

/** A network address may request this many links at once, and then one per minute. */
const REQUESTS_FROM_ADDRESS = { burst: 10, perMinute: 1 };
/** An account receives this many e-mails at once, and then three per hour. */
const MAILS_TO_ACCOUNT = { burst: 3, perMinute: 3 / 60 };
/** Maximum number of waiting requests of this process. Further ones are dropped. */
const WAITING = 100;

interface PasswordResetDeps {
  database: Database;
  clock: Clock;
  /** Number of processes of this server. */
  processes: number;
  log: Log;
  accounts: Accounts;
  passwordLinks: PasswordLinks;
  accountMails: AccountMails;
}

export function createPasswordReset(deps: PasswordResetDeps): PasswordReset {
  const { database, clock, processes, log, accounts, passwordLinks, accountMails } = deps;
  const limit = createAddressLimit({ ...REQUESTS_FROM_ADDRESS, clock, processes });
  const mails = createSharedRates({ database, name: 'reset', ...MAILS_TO_ACCOUNT });
  const inTurn = createKeyedQueue(WAITING);
  let last: Promise<unknown> = Promise.resolve();

  async function mayMail(accountId: string): Promise<boolean> {
    return await database.transaction(async (trx) => {
      const buckets = await mails.open(trx, [accountId]);
      const isFree = buckets.take(accountId) === 0;
      await buckets.save();
      return isFree;
    });
  }

  async function mail(email: string, { address, language }: Client): Promise<void> {
    const account = await accounts.byEmail(email);
    const link = account && (await passwordLinks.create(account.id, 'reset'));
    if (!link || !(await mayMail(account.id))) return;
    const result = await accountMails.resetPassword(account, link.link, { language, wait: false });
    log.info({ accountId: account.id, address, ...result }, 'password reset requested');
  }

  return {
    request(email, client) {
      limit(client.address);
      const mailed = inTurn('', () => mail(email, client)).catch((error) =>
        log.error({ error }, 'password reset failed'),
      );
      // A request that is dropped ends before earlier ones.
      last = Promise.all([last, mailed]).then(() => {});
    },
    sweep: mails.sweep,
    async stop() {
      await last;
    },
  };
}
