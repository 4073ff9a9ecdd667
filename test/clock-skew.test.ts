import { expect, test } from 'bun:test';
import { MINUTE } from '../src/kernel/clock.ts';
import { firstIdAt } from '../src/kernel/ids.ts';
import { freshSettings } from './harness/backends.ts';
import { openBrowser } from './harness/browser.ts';
import { addPerson, startPosthouse } from './harness/posthouse.ts';
import { sendBySkewedNodes, startAhead } from './harness/skewed-nodes.ts';

const MAILS = 60;
const CHATS = 30;

/** `npm run test:faults -- clocks` sends 1,000 e-mails and 3 × 1,000 chat messages. */
test('a node whose clock is two minutes ahead sends nothing twice and keeps the order of chats', async () => {
  const work = { mails: MAILS, chats: CHATS, start: startPosthouse };
  const sent = await sendBySkewedNodes(await freshSettings('postgres+s3'), work);
  expect(sent.mails.toSorted()).toEqual(Array.from({ length: MAILS }, (_, index) => `mail ${index}`).sort());
  for (const texts of sent.channels)
    expect(texts).toEqual(Array.from({ length: CHATS }, (_, index) => `chat ${index}`));
  // The log of messages is sorted by their ids, which contain the time of a node's clock.
  const inAMinute = firstIdAt(Date.now() + MINUTE);
  expect(sent.ids.map((ids) => ids.length)).toEqual([CHATS, CHATS, CHATS]);
  expect(sent.ids.flat().filter((id) => id > inAMinute)).toEqual([]);
  expect(Math.round(sent.skewSeconds)).toBe(120);
});

test('people sign in on nodes, one of which has a clock two minutes ahead', async () => {
  const url = 'https://posthouse.example';
  const settings = { ...(await freshSettings('postgres+s3')), POSTHOUSE_PUBLIC_URL: url };
  const nodes = await Promise.all([startPosthouse(settings), startAhead(settings)]);
  await addPerson(settings, 'ada@example.org');
  for (const first of [0, 1]) {
    let turn = first;
    const browser = openBrowser(url, () => nodes[turn++ % 2]?.url ?? '');
    const page = await browser.submit(await browser.visit('/login?returnTo=/api/me'), {
      email: 'ada@example.org',
      password: 'correct horse battery',
    });
    expect(page.text).toContain('ada@example.org');
    for (let request = 0; request < 2; request++) expect((await browser.fetch('/api/me')).status).toBe(200);
  }
  await Promise.all(nodes.map((node) => node.stop()));
});
