import { expect, test } from 'bun:test';
import { reasonWithRemedy } from './once.ts';

test.each([
  [
    'smtp_unreachable',
    'getaddrinfo ENOTFOUND smtp.nowhere.example',
    '“smtp.nowhere.example” has no address in DNS.',
  ],
  ['smtp_unreachable', 'connect ECONNREFUSED 192.0.2.1:25', '192.0.2.1:25 accepts no connections.'],
  ['smtp_unreachable', 'Connection timeout', 'The server does not respond.'],
  ['smtp_sign_in', '535 5.7.8 no', 'The server refused the user name or password. (535 5.7.8 no)'],
  ['smtp_refused', '550 no such mailbox', '550 no such mailbox'],
])('the remedy of %s, %s', (code, reason, start) => {
  const text = reasonWithRemedy({ code, reason });
  expect(text).toStartWith(start);
  expect(text).toContain(reason);
});
