import { expect, test } from 'bun:test';
import { openBody } from './open-body.ts';

test('the first thousand unknown fields of a large body are reported', () => {
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
  const mail = { To: 'ada@example.org', Subject: 'Hi', Body: 'Hello' };
  const credentials = { ClientId: crypto.randomUUID(), ClientSecret: 'secret' };
  const { value } = openBody(Buffer.from(JSON.stringify({ ...credentials, ...mail, ...unknown })));
  expect(value.read).toMatchObject({ unknown: Object.keys(unknown).slice(0, 1_000) });
});
