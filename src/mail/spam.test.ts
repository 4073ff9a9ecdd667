import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../test/harness/database.ts';
import { DAY } from '../kernel/clock.ts';
import { createSpam, type KeptForm } from './spam.ts';

const visitor = {
  address: '192.0.2.1',
  userAgent: 'x'.repeat(500_000),
  language: null,
  referrer: null,
  reported: true,
  more: { more: 'x'.repeat(500_000) },
};
const formOf = (request: Partial<KeptForm['request']> = {}): KeptForm => ({
  request: { Email: 'ada@example.org', Message: 'Hello', ...request },
  visitor,
});

describe.each(DATABASES)('spam forms on %s', (kind) => {
  async function begin() {
    const database = await freshDatabase(kind);
    let now = 1_000 * DAY;
    const spam = createSpam({ database, clock: { now: () => now } });
    return {
      spam,
      keep: (form: KeptForm) => database.transaction((trx) => spam.keep(trx, 'client', 'honeypot', form)),
      pass(ms: number) {
        now += ms;
      },
    };
  }

  test('keep what an e-mail of them would contain', async () => {
    const { spam, keep } = await begin();
    const long = 'x'.repeat(500_000);
    const Fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field ${index}`, long]));
    const Message = 'm'.repeat(100_000);
    await keep(formOf({ Message, Fields, SystemInfo: { a: long }, Website: long, Email: long }));
    const [kept] = await spam.list(1);
    expect(kept?.form.request.Message).toBe(Message);
    expect(Object.keys(kept?.form.request.Fields ?? {}).length).toBe(50);
    expect(JSON.stringify(kept).length).toBeLessThan(250_000);
  });

  test('are listed up to a number of bytes, the newest first', async () => {
    const { spam, keep } = await begin();
    for (let index = 0; index < 60; index++)
      await keep(formOf({ Subject: `${index}`, Message: 'm'.repeat(100_000) }));
    const shown = await spam.list(500);
    expect([shown.length < 60, shown.length > 20]).toEqual([true, true]);
    expect(shown[0]?.form.request.Subject).toBe('59');
  });

  test('are deleted once they are old, in batches', async () => {
    const { spam, keep, pass } = await begin();
    for (let index = 0; index < 3; index++) await keep(formOf());
    pass(20 * DAY);
    await keep(formOf({ Subject: 'newer' }));
    await spam.sweep();
    expect((await spam.list(10)).length).toBe(4);
    pass(11 * DAY);
    await spam.sweep();
    expect((await spam.list(10)).map(({ form }) => form.request.Subject)).toEqual(['newer']);
  });
});
