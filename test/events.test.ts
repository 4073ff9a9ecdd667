import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { freshSettings } from './harness/backends.ts';
import { type EventReader, readEvents } from './harness/events.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { addMailClient, post } from './harness/mail.ts';
import { addPerson, openSession, runJson, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { createTeam, createTeamToken, filesIn, type WorkspaceAnswer } from './harness/teams.ts';
import { until } from './harness/until.ts';

const posthouse = await startPosthouse({
  ...(await freshSettings()),
  POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
});
const { settings } = posthouse;
const { database } = await foundationOf(settings);

let people = 0;
const newPerson = () => addPerson(settings, `person-${people++}@example.org`);

/** Waits for a change in a folder. */
const changeIn = (events: EventReader, folderId: string | null) =>
  events.next(({ name, data }) => name === 'files' && data.folderId === folderId);

async function personalOf(person: { headers: Record<string, string> }): Promise<WorkspaceAnswer> {
  const { body } = await jsonOf(posthouse, person)<WorkspaceAnswer[]>('GET', '/api/storage/workspaces');
  const [own] = body;
  if (!own) throw new Error('a person has a workspace');
  return own;
}

describe('a stream of events', () => {
  test('shows every change of links', async () => {
    const person = await newPerson();
    const { id: workspaceId } = await personalOf(person);
    const call = jsonOf(posthouse, person);
    const { id: folderId } = (await call('POST', '/api/storage/folders', { name: 'linked' })).body;
    const events = await readEvents(posthouse, person.headers);
    const seen = async () => (await changeIn(events, null)).data;
    const { body: link } = await call('POST', '/api/storage/links', { folderId });
    expect(await seen()).toEqual({ workspaceId, folderId: null });
    await call('PATCH', `/api/storage/links/${link.id}`, { title: 'Changed' });
    expect(await seen()).toEqual({ workspaceId, folderId: null });
    await call('DELETE', `/api/storage/links/${link.id}`);
    expect(await seen()).toEqual({ workspaceId, folderId: null });
    events.close();
  });

  test('shows every change of files and folders, as ids only', async () => {
    const person = await newPerson();
    const { id: workspaceId, rootFolderId: root } = await personalOf(person);
    const send = async (method: string, path: string, body?: object) => {
      const { status, body: answer } = await jsonOf(posthouse, person)(method, `/api/storage/${path}`, body);
      expect([method, path, status < 300]).toEqual([method, path, true]);
      return answer;
    };
    const files = filesOf(posthouse, person.headers);
    /** A folder with a file. Nothing else publishes events of it, so that each event has one cause. */
    const filled = async (name: string) => {
      const { id: folder } = await send('POST', 'folders', { name: `secret ${name}` });
      return { folder, file: (await files.upload('secret text', { name: 'secret.txt', folder })).id };
    };
    const names = ['move', 'change', 'copy', 'delete', 'replace', 'rename', 'copy a folder', 'move a folder'];
    const places = new Map<string, { folder: string; file: string }>();
    for (const name of names) places.set(name, await filled(name));
    const to = async (name: string, act: (place: { folder: string; file: string }) => Promise<unknown>) => {
      const place = places.get(name) ?? { folder: '', file: '' };
      await act(place);
      await changeIn(events, place.folder);
      return place;
    };
    const events = await readEvents(posthouse, person.headers);
    expect(events.headers.get('Content-Type')).toBe('text/event-stream');
    expect(events.headers.get('Content-Encoding')).toBeNull();

    await to('move', ({ file }) => send('POST', `files/${file}/move`, { targetFolderId: root }));
    await to('change', ({ file }) => send('PATCH', `files/${file}`, { originalName: 'other.txt' }));
    await to('copy', ({ file, folder }) => send('POST', `files/${file}/copy`, { targetFolderId: folder }));
    await to('replace', ({ folder }) => files.upload('secret', { folder }));
    const { file } = await to('delete', (place) => send('DELETE', `files/${place.file}`));
    await to('delete', () => send('POST', `trash/${file}/restore`, {}));
    await to('rename', ({ folder }) => send('PATCH', `folders/${folder}`, { name: 'other' }));
    await to('copy a folder', ({ folder }) =>
      send('POST', `folders/${places.get('move')?.folder}/copy`, { targetFolderId: folder }),
    );
    const target = places.get('move')?.folder ?? '';
    await send('PATCH', `folders/${places.get('move a folder')?.folder}`, { parentFolderId: target });
    await changeIn(events, target);
    const gone = await to('copy a folder', ({ folder }) =>
      send('DELETE', `folders/${folder}?recursive=true`),
    );
    await send('DELETE', `trash/${gone.folder}`);
    expect(await changeIn(events, null)).toEqual({ name: 'files', data: { workspaceId, folderId: null } });
    expect(JSON.stringify(events.received)).not.toContain('secret');
    events.close();
  });

  test('shows the changes of a workspace to its members only, and to its tokens', async () => {
    const team = await createTeam(posthouse);
    const { workspace, editor, viewer, stranger } = team;
    const token = await createTeamToken(posthouse, team, 'viewer');
    const [toViewer, toToken, toStranger] = await Promise.all(
      [viewer, token, stranger].map(({ headers }) => readEvents(posthouse, headers)),
    );
    if (!toViewer || !toToken || !toStranger) throw new Error('three streams');
    await filesIn(posthouse, editor, workspace).upload('for the team');
    for (const events of [toViewer, toToken]) await changeIn(events, workspace.rootFolderId);
    // Events arrive in their order, so that an earlier one would be there.
    const own = await filesOf(posthouse, stranger.headers).upload('of the stranger');
    await changeIn(toStranger, own.folderId);
    expect(toStranger.received.map(({ data }) => data.workspaceId)).not.toContain(workspace.id);
    for (const events of [toViewer, toToken, toStranger]) events.close();
  });

  test('sends no events of a workspace after its member was removed', async () => {
    const { workspace, manager, editor, viewer } = await createTeam(posthouse);
    const events = await readEvents(posthouse, viewer.headers);
    const members = `/api/storage/workspaces/${workspace.id}/members`;
    await jsonOf(posthouse, manager)('PATCH', `${members}/${viewer.id}`, { role: 'editor' });
    await changeIn(events, null);
    await jsonOf(posthouse, manager)('DELETE', `${members}/${viewer.id}`);
    const before = events.received.length;
    await filesIn(posthouse, editor, workspace).upload('for the team');
    const own = await filesOf(posthouse, viewer.headers).upload('alone');
    await changeIn(events, own.folderId);
    expect(events.received.slice(before).map(({ data }) => data.workspaceId)).not.toContain(workspace.id);
    events.close();
  });

  test('shows its members that a workspace was deleted, and restored', async () => {
    const { workspace, manager, viewer } = await createTeam(posthouse);
    const events = await readEvents(posthouse, viewer.headers);
    const path = `/api/storage/workspaces/${workspace.id}`;
    for (const [method, of] of [
      ['DELETE', path],
      ['POST', `${path}/restore`],
    ] as const) {
      expect((await jsonOf(posthouse, manager)(method, of)).status).toBeLessThan(300);
      expect((await changeIn(events, null)).data.workspaceId).toBe(workspace.id);
    }
    events.close();
  });

  test('shows a removed member that the list of workspaces has changed', async () => {
    const { workspace, manager, viewer } = await createTeam(posthouse);
    const events = await readEvents(posthouse, viewer.headers);
    const path = `/api/storage/workspaces/${workspace.id}/members/${viewer.id}`;
    await jsonOf(posthouse, manager)('DELETE', path);
    expect((await changeIn(events, null)).data.workspaceId).toBe((await personalOf(viewer)).id);
    events.close();
  });

  test('shows new and delivered messages to administrators only', async () => {
    const admin = await signInAdmin(posthouse);
    const person = await newPerson();
    const [toAdmin, toPerson] = await Promise.all([
      readEvents(posthouse, admin.headers),
      readEvents(posthouse, person.headers),
    ]);
    const client = await addMailClient(settings, 'app', '--services', 'email');
    await post(posthouse, '/requestemail', { ...client, To: 'a@example.org', Subject: 'a', Body: 'a' });
    const { data } = await toAdmin.next(({ name }) => name === 'messages');
    expect(data).toEqual({ kind: 'email' });
    const own = await filesOf(posthouse, person.headers).upload('of the person');
    await changeIn(toPerson, own.folderId);
    expect(toPerson.received.map(({ name }) => name)).not.toContain('messages');
    for (const events of [toAdmin, toPerson]) events.close();
  });

  test('has no body for HEAD', async () => {
    const { headers } = await newPerson();
    const answer = await posthouse.fetch('/api/events', { method: 'HEAD', headers });
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(await answer.text()).toBe('');
  });
});

describe('a stream ends', () => {
  /** Opens a stream in a session of a new person. */
  async function inSession() {
    const person = await newPerson();
    const session = await openSession(posthouse, person.email);
    return { person, session, events: await readEvents(posthouse, session.headers) };
  }

  test('with its session', async () => {
    const { person, session, events } = await inSession();
    const other = await readEvents(posthouse, person.headers);
    await posthouse.fetch('/logout', { method: 'POST', headers: session.headers });
    await events.ended;
    const own = await filesOf(posthouse, person.headers).upload('still there');
    await changeIn(other, own.folderId);
    other.close();
  });

  test('with its account', async () => {
    const { person, events } = await inSession();
    const other = await readEvents(posthouse, person.headers);
    await runJson(settings, 'user', 'disable', '--email', person.email);
    await Promise.all([events.ended, other.ended]);
  });

  test('with the role of its account', async () => {
    const { person, events } = await inSession();
    await sql`update accounts set role = 'admin' where id = ${person.id}`.execute(database.schema);
    await events.ended;
  });

  test('with its token, revoked or expired', async () => {
    const { email, headers } = await newPerson();
    const events = await readEvents(posthouse, headers);
    await sql`
      update tokens set expires_at = 1
      where account_id = (select id from accounts where email = ${email})`.execute(database.schema);
    await events.ended;

    const team = await createTeam(posthouse);
    const token = await createTeamToken(posthouse, team, 'editor');
    const ofTeam = await readEvents(posthouse, token.headers);
    const path = `/api/storage/workspaces/${team.workspace.id}/tokens/${token.id}`;
    await jsonOf(posthouse, team.manager)('DELETE', path);
    await ofTeam.ended;
  });
});

test('an account has ten streams at most, and one that was closed is not counted', async () => {
  const { headers } = await newPerson();
  const open = () => readEvents(posthouse, headers);
  const streams = await Promise.all(Array.from({ length: 12 }, open));
  expect(streams.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
  streams.find(({ status }) => status === 200)?.close();
  const another = await until(async () => {
    const events = await open();
    return events.status === 200 && events;
  });
  for (const events of [...streams, another]) events.close();
});

test('the tokens of a workspace share its streams, so that they cannot take those of all others', async () => {
  const team = await createTeam(posthouse);
  const opened = Array.from({ length: 11 }, async () => {
    const { headers } = await createTeamToken(posthouse, team, 'viewer');
    return await Promise.all(Array.from({ length: 10 }, () => readEvents(posthouse, headers)));
  });
  const streams = (await Promise.all(opened)).flat();
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(10);
  const ofManager = await readEvents(posthouse, team.manager.headers);
  expect(ofManager.status).toBe(200);
  for (const events of [...streams, ofManager]) events.close();
});

test('streams of pages that were loaded again are not counted', async () => {
  const { headers } = await newPerson();
  const port = Number(new URL(posthouse.url).port);
  /** Opens a stream, and closes its connection as browsers do. */
  const load = async () => {
    const socket = connect(port, '127.0.0.1');
    const fields = Object.entries({ ...headers, Host: `127.0.0.1:${port}` });
    socket.write(
      `GET /api/events HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString().split(' ')[1];
  };
  for (let page = 0; page < 25; page++) expect(await load()).toBe('200');
});

test('a server counts its streams, and ends them when it stops', async () => {
  const own = await startPosthouse(await freshSettings());
  const { headers } = await addPerson(own.settings, 'ada@example.org');
  const count = async () =>
    /^posthouse_event_streams (\d+)$/m.exec(await (await own.fetch('/metrics')).text())?.[1];
  const [first, second] = await Promise.all([readEvents(own, headers), readEvents(own, headers)]);
  expect(await count()).toBe('2');
  first.close();
  await until(async () => (await count()) === '1');
  expect(await own.stop()).toBe(0);
  await second.ended;
});
