import { expect, test } from 'bun:test';
import { runCheck, withRemedy } from './check.ts';

test('a check without a response names the remedy', async () => {
  const hanging = () => withRemedy('Check POSTHOUSE_SMTP_URL.', () => new Promise<string>(() => {}), 0);
  expect(await runCheck('smtp', hanging)).toEqual({
    name: 'smtp',
    ok: false,
    detail: 'No response within 0 s. Check POSTHOUSE_SMTP_URL.',
  });
});
