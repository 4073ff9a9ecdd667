import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { freshSettings } from './harness/backends.ts';
import { openDeafProxy } from './harness/deaf-proxy.ts';
import { type EventReader, readEvents } from './harness/events.ts';
import { filesOf } from './harness/files.ts';
import { addMailClient, post } from './harness/mail.ts';
import { addPerson, openSession, type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

/** Starts two nodes over one database, and signs a person in. */
async function startNodes(settings: Record<string, string>) {
  const nodes = await Promise.all([
    startPosthouse(settings),
    startPosthouse({ ...settings, POSTHOUSE_DATA_DIR: join(settings.POSTHOUSE_DATA_DIR ?? '', 'node-2') }),
  ]);
  const person = await addPerson(settings, 'ada@example.org');
  return { nodes, person, session: await openSession(nodes[0], person.email) };
}

/** Opens a stream and repeats `act` until the stream shows it: a starting node misses signals until it is connected. */
async function watchOther(
  node: Posthouse,
  { headers }: { headers: Record<string, string> },
  act: () => Promise<unknown>,
): Promise<EventReader> {
  let events = await readEvents(node, headers);
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  void events.ended.then(note);
  await until(async () => {
    if (hasEnded) {
      hasEnded = false;
      events = await readEvents(node, headers);
      void events.ended.then(note);
    }
    await act();
    return events.received.some(({ name }) => name === 'files');
  });
  return events;
}

test('events reach the streams of other nodes, which end with their session', async () => {
  const { nodes, person, session } = await startNodes(await freshSettings('postgres+s3'));
  const [one, two] = nodes;
  const events = await watchOther(one, session, () => filesOf(two, person.headers).upload('by the other'));
  await two.fetch('/logout', { method: 'POST', headers: session.headers });
  await events.ended;

  // The slot of the stream that ended may not be free yet, so that another account opens these.
  const { headers } = await addPerson(one.settings, 'grace@example.org');
  const open = (index: number) => readEvents(index % 2 === 0 ? one : two, headers);
  const streams = await Promise.all(Array.from({ length: 12 }, (_, index) => open(index)));
  expect(streams.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
  streams.find(({ status }) => status === 200)?.close();
  const another = await until(async () => {
    const opened = await open(1);
    return opened.status === 200 && opened;
  });
  for (const { close } of [...streams, another]) close();
  await Promise.all(nodes.map((node) => node.stop()));
});

test('events reach other nodes through a pooler that loses LISTEN', async () => {
  const settings = await freshSettings('postgres+s3');
  const proxy = await openDeafProxy(settings.POSTHOUSE_DATABASE_URL ?? '');
  const { nodes, person } = await startNodes({ ...settings, POSTHOUSE_DATABASE_LISTEN_URL: proxy.url });
  const [one, two] = nodes;
  const events = await watchOther(one, person, () => filesOf(two, person.headers).upload('by the other'));
  expect(one.output()).toContain('signals between nodes use a table');
  events.close();
  await Promise.all(nodes.map((node) => node.stop()));
  await proxy.close();
});

test('nodes with different services show the messages and events of each other', async () => {
  const settings = await freshSettings('postgres+s3');
  const identity = await startPosthouse({ ...settings, POSTHOUSE_SERVICES: 'identity' });
  const rest = await startPosthouse({
    ...settings,
    POSTHOUSE_SERVICES: 'storage,mail',
    POSTHOUSE_DATA_DIR: join(settings.POSTHOUSE_DATA_DIR ?? '', 'node-2'),
  });
  const client = await addMailClient(settings, 'split', '--services', 'email');
  const email = { ...client, To: 'a@example.org', Subject: 'Split', Body: 'x' };
  expect((await post(rest, '/requestemail', email)).status).toBe(200);
  const messages = await identity.fetch('/api/admin/messages', await signInAdmin(identity));
  expect(await messages.json()).toMatchObject([{ kind: 'email', title: 'Split', to: ['a@example.org'] }]);
  const person = await addPerson(settings, 'ida@example.org');
  for (const node of [identity, rest])
    (await watchOther(node, person, () => filesOf(rest, person.headers).upload('x'))).close();
  await Promise.all([identity.stop(), rest.stop()]);
});
