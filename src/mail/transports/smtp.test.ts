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

test('a password is removed from replies, not from addresses that contain it', async () => {
  const credentials = { username: 'test', password: 'test' };
  const account = { host: 'mail.test.example', port: 25, security: 'none', credentials } as const;
  const accepted: Accepted = {
    response: '250 ok',
    refused: [{ address: 'ada@test.example', code: 450, response: '450 greylisted, test' }],
  };
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
  expect(await transport.deliver(message, new AbortController().signal)).toEqual({
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
