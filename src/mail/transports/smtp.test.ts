import { expect, test } from 'bun:test';
import { systemClock } from '../../kernel/clock.ts';
import { createLog } from '../../kernel/log.ts';
import type { Claimed } from '../../kernel/outbox/message.ts';
import type { Clients } from '../clients/clients.ts';
import type { Contents } from '../contents.ts';
import type { EmailPayload } from '../payload.ts';
import { createAccountPauses } from './account-pauses.ts';
import type { Accepted, Pools } from './pools.ts';
import { createPressure } from './pressure.ts';
import { CLIENT_LIMITS, createSmtpTransport } from './smtp.ts';

type Refusal = Accepted['refused'][number];

/** Returns the outcome of an e-mail from an account with a password to two addresses, of which one is refused. */
async function deliverWith(password: string, refusal: Refusal) {
  const credentials = { username: 'test', password };
  const account = { host: 'mail.test.example', port: 25, security: 'none', credentials } as const;
  const accepted: Accepted = { response: '250 ok', refused: [refusal] };
  const transport = createSmtpTransport({
    ...{ account: null, dkim: null, pressure: createPressure(systemClock, CLIENT_LIMITS) },
    clients: { smtp: async () => account } as unknown as Clients,
    contents: { find: async () => Buffer.from('x') } as unknown as Contents,
    pools: { pool: () => ({ send: async () => accepted }) } as unknown as Pools,
    pauses: createAccountPauses({ clock: systemClock, log: createLog('silent') }),
  });
  const payload: EmailPayload = {
    ...{ contentId: 'test', headerId: '<1@test.example>', from: 'bob@test.example', subject: 'A test' },
    server: { kind: 'client' },
    recipients: [
      { address: 'ada@test.example', status: 'Queued', error: null },
      { address: 'eve@example.com', status: 'Queued', error: null },
    ],
  };
  const message = {
    payload,
    clientId: 'one',
    attempts: 0,
    sandbox: false,
    secret: null,
  } as unknown as Claimed;
  return { payload, outcome: await transport.deliver(message, new AbortController().signal) };
}

test('a password is removed from replies, not from addresses that contain it', async () => {
  const refusal = { address: 'ada@test.example', code: 450, response: '450 greylisted, test' };
  const { payload, outcome } = await deliverWith('test', refusal);
  expect(outcome).toEqual({
    outcome: 'later',
    code: 'smtp_deferred',
    reason: '450 greylisted, [hidden]',
    payload: {
      ...payload,
      recipients: [
        { address: 'ada@test.example', status: 'Queued', error: '450 greylisted, [hidden]' },
        { address: 'eve@example.com', status: 'Sent', error: null },
      ],
    },
  });
});

test('a password is removed from replies in each form, also where a reply is cut', async () => {
  const password = 'pa/ss "word" 1';
  for (const [repeated, shown] of [
    [encodeURIComponent(password), 'the password [hidden]'],
    [JSON.stringify(password), 'the password "[hidden]"'],
    [Buffer.from(`\0test\0${password}`).toString('base64'), 'the password [hidden]'],
  ] as const) {
    const reasonOf = async (response: string) => {
      const { outcome } = await deliverWith(password, { address: 'ada@test.example', code: 450, response });
      return outcome.outcome === 'later' ? outcome.reason : null;
    };
    expect(await reasonOf(`450 the password ${repeated}`)).toBe(`450 ${shown}`);
    const beginning = '450 '.padEnd(490, '.');
    expect(await reasonOf(`${beginning}${repeated}`)).toBe(beginning + (repeated.startsWith('"') ? '"' : ''));
  }
});
