import { expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { sendBySkewedNodes } from './harness/skewed-nodes.ts';

const MAILS = 60;
const CHATS = 30;

/** `npm run test:faults -- clocks` sends 1,000 mails and 3 × 1,000 chat messages. */
test('a node whose clock is two minutes ahead sends nothing twice and keeps the order of chats', async () => {
  const sent = await sendBySkewedNodes(await freshSettings('postgres+s3'), { mails: MAILS, chats: CHATS });
  expect(sent.mails.toSorted()).toEqual(Array.from({ length: MAILS }, (_, index) => `mail ${index}`).sort());
  for (const texts of sent.channels)
    expect(texts).toEqual(Array.from({ length: CHATS }, (_, index) => `chat ${index}`));
  expect(Math.round(sent.skewSeconds)).toBe(120);
});
