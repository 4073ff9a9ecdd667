import { expect, test } from 'bun:test';
import { DATABASES, emptyDatabase } from '../../../test/harness/database.ts';
import { createAttempts } from '../../kernel/limits/attempts.ts';
import type { Accounts } from '../accounts.ts';
import type { Devices } from '../login/devices.ts';
import { createPasswordLogin } from './password-login.ts';

test.each(DATABASES)('of many simultaneous wrong passwords, ten are verified on %s', async (kind) => {
  const database = await emptyDatabase(kind);
  const verified: string[] = [];
  const accounts = {
    async byPassword(_: string, password: string) {
      verified.push(password);
      await new Promise(setImmediate);
      return null;
    },
  } as unknown as Accounts;
  const devices = { identify: async () => null } as unknown as Devices;
  const signIn = createPasswordLogin({ accounts, devices, database, attempts: createAttempts({ database }) });
  const guesses = Array.from({ length: 60 }, (_, index) =>
    signIn('ada@example.org', `guess ${index}`, { address: '192.0.2.1', deviceToken: null }).catch(
      ({ code }) => String(code),
    ),
  );
  const codes = Map.groupBy(await Promise.all(guesses), (code) => code);
  expect([codes.get('bad_credentials')?.length, codes.get('too_many_attempts')?.length]).toEqual([10, 50]);
  // The right password could be among further ones.
  expect(verified).toHaveLength(10);
});
