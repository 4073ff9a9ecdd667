import { expect, test } from 'bun:test';
import { emptyDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createLog } from '../../kernel/log.ts';
import type { AccountMails } from '../account-mails.ts';
import type { Accounts } from '../accounts.ts';
import type { PasswordLinks } from './password-links.ts';
import { createPasswordReset } from './password-reset.ts';

test('the end waits for all requests, also after one that did not wait', async () => {
  const lookedUp: string[] = [];
  const accounts = {
    async byEmail(email: string) {
      await new Promise(setImmediate);
      lookedUp.push(email);
      return null;
    },
  } as unknown as Accounts;
  const reset = createPasswordReset({
    database: await emptyDatabase('sqlite'),
    clock: systemClock,
    processes: 1,
    log: createLog('silent'),
    accounts,
    passwordLinks: {} as PasswordLinks,
    accountMails: {} as AccountMails,
  });
  // One more than may wait.
  for (let index = 0; index <= 100; index++)
    reset.request(`person${index}@example.org`, { address: `192.0.2.${index}`, language: 'en' });
  await reset.stop();
  expect(lookedUp).toHaveLength(100);
});
