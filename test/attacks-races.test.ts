import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Transaction } from '../src/kernel/database/database.ts';
import { freshSettings } from './harness/backends.ts';
import { isLockAwaited } from './harness/database.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addToken, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { createTeam, createTeamToken, filesIn, type Person, type Team } from './harness/teams.ts';
import { metadata, tusOf } from './harness/tus.ts';
import { until } from './harness/until.ts';

/* Requests whose authorization ends while they are under way. */

let posthouse: Posthouse;
let team: Team;
beforeAll(async () => {
  posthouse = await startPosthouse({
    ...(await freshSettings()),
    POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
  });
  team = await createTeam(posthouse);
});
afterAll(async () => {
  expect(posthouse.output()).not.toContain('unexpected error');
  await posthouse.stop();
});

const body = multipart([{ name: 'file', fileName: 'late.txt', value: 'x'.repeat(5_000) }]);
const FORM = { 'Content-Type': MULTIPART_TYPE };

/** Sends a request without its last byte. Returns a function that sends it, and returns status and code. */
async function begin(
  method: string,
  path: string,
  headers: Record<string, string>,
  bytes: Uint8Array = body,
) {
  const socket = connect(Number(new URL(posthouse.url).port), '127.0.0.1');
  const closed = once(socket, 'close');
  let answer = '';
  socket.on('error', () => {});
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  const fields = { Host: 'x', Connection: 'close', 'Content-Length': String(bytes.length), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await new Promise((resolve) => socket.write(bytes.subarray(0, -1), resolve));
  return {
    async end(): Promise<[status: number, code: string | undefined]> {
      socket.write(bytes.subarray(-1));
      await closed;
      const { code } = JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? '{}') as { code?: string };
      return [Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), code];
    },
  };
}

/** A member of the team whose membership ends. */
async function newEditor(): Promise<Person & { email: string; becomes(role: string | null): Promise<void> }> {
  const { editor } = await createTeam(posthouse, crypto.randomUUID());
  const members = `/api/storage/workspaces/${team.workspace.id}/members`;
  const manager = jsonOf(posthouse, team.manager);
  await manager('POST', members, { email: editor.email, role: 'editor' });
  return {
    ...editor,
    async becomes(role) {
      const path = `${members}/${editor.id}`;
      const { status } = await (role === null ? manager('DELETE', path) : manager('PATCH', path, { role }));
      expect(status).toBeLessThan(300);
    },
  };
}

const names = async () =>
  (
    await filesIn(posthouse, team.manager, team.workspace).read<{ originalName: string }[]>(
      `/api/storage/files/${team.workspace.rootFolderId}`,
    )
  ).map(({ originalName }) => originalName);

describe('an upload under way is refused at its end', () => {
  test.each([
    ['viewer', 403, 'role_insufficient'],
    [null, 404, 'not_found'],
  ] as const)('when its member has become %p', async (role, status, code) => {
    const editor = await newEditor();
    const files = filesIn(posthouse, editor, team.workspace);
    const { id } = await files.upload('before', 'kept.txt');
    const folder = team.workspace.rootFolderId;
    const headers = { ...editor.headers, ...FORM };
    const tus = tusOf(posthouse, editor.headers);
    const upload = await tus.begin(5, { filename: 'late.txt', folderId: folder });
    const requests = [
      await begin('POST', `/api/storage/files/${folder}`, headers),
      await begin('POST', `/api/storage/files/${id}/replace`, headers),
      await begin(
        'PATCH',
        upload,
        {
          ...editor.headers,
          'Tus-Resumable': '1.0.0',
          'Upload-Offset': '0',
          'Content-Type': 'application/offset+octet-stream',
        },
        Buffer.from('after'),
      ),
    ];
    await editor.becomes(role);
    for (const request of requests) expect(await request.end()).toEqual([status, code]);
    expect(await names()).not.toContain('late.txt');
    const kept = await filesIn(posthouse, team.manager, team.workspace).get(
      `/api/storage/files/${id}/content`,
    );
    expect(await kept.text()).toBe('before');
  });

  test('when its token is revoked, or its account disabled', async () => {
    const token = await createTeamToken(posthouse, team, 'editor');
    const editor = await newEditor();
    const path = `/api/storage/files/${team.workspace.rootFolderId}`;
    const byToken = await begin('POST', path, { ...token.headers, ...FORM });
    const byPerson = await begin('POST', path, { ...editor.headers, ...FORM });
    const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' };
    const created = await begin(
      'POST',
      '/api/storage/uploads',
      {
        ...editor.headers,
        ...tus,
        'Upload-Length': '5',
        'Upload-Metadata': metadata({ filename: 'late.txt', folderId: team.workspace.rootFolderId }),
      },
      Buffer.from('after'),
    );
    const upload = await tusOf(posthouse, editor.headers).begin(5, {
      filename: 'late.txt',
      folderId: team.workspace.rootFolderId,
    });
    const continued = await begin(
      'PATCH',
      upload,
      { ...editor.headers, ...tus, 'Upload-Offset': '0' },
      Buffer.from('after'),
    );
    const tokens = `/api/storage/workspaces/${team.workspace.id}/tokens`;
    expect((await jsonOf(posthouse, team.manager)('DELETE', `${tokens}/${token.id}`)).status).toBe(204);
    await runCommand(posthouse.settings, 'user', 'disable', '--email', editor.email);
    // Revoking the token of a workspace ends its membership too.
    expect([401, 404]).toContain((await byToken.end())[0]);
    for (const request of [byPerson, created, continued])
      expect(await request.end()).toEqual([401, 'login_required']);
    // It is not complete, so it becomes no file later, and continues when the account is enabled again.
    await runCommand(posthouse.settings, 'user', 'enable', '--email', editor.email);
    const { headers } = await addToken(posthouse.settings, editor.email);
    expect(await tusOf(posthouse, headers).offset(upload)).toBe(0);
    expect(await names()).not.toContain('late.txt');
  });
});

// SQLite runs one transaction at a time.
test('a change that waits on PostgreSQL while its member is demoted is refused', async () => {
  const settings = await freshSettings('postgres+s3');
  const server = await startPosthouse({ ...settings, POSTHOUSE_WORKSPACE_CREATORS: 'everyone' });
  const ours = await createTeam(server);
  const { workspace, manager, editor, stranger } = ours;
  const send = jsonOf(server, manager);
  const path = `/api/storage/workspaces/${workspace.id}`;
  const files = filesIn(server, manager, workspace);
  const file = await files.upload('first');
  await files.replace(file.id, 'second');
  const fileVersions = `/api/storage/files/${file.id}/versions`;
  const [version] = await files.read<{ id: string }[]>(fileVersions);
  const token = await createTeamToken(server, ours, 'viewer');
  const links = '/api/storage/links';
  const link = await send('POST', links, { folderId: workspace.rootFolderId });
  const { database } = await foundationOf(server.settings);

  /** Sends a request, and demotes its member before it receives the lock of the workspace. */
  async function demoteDuring(method: string, to: string, content?: object) {
    const become = (trx: Transaction, role: 'viewer' | 'manager') =>
      trx
        .updateTable('memberships')
        .set({ role })
        .where('account_id', '=', manager.id)
        .where('workspace_id', '=', workspace.id)
        .execute();
    const { answer } = await database.transaction(async (trx) => {
      const own = trx.updateTable('workspaces').where('id', '=', workspace.id);
      await own.set({ name: workspace.name }).execute();
      await become(trx, 'viewer');
      const answer = send(method, to, content);
      await Promise.race([answer, until(() => isLockAwaited(database))]);
      return { answer };
    });
    const { status, body } = await answer;
    await database.transaction((trx) => become(trx, 'manager'));
    return [method, to, status, body?.code];
  }

  const changes: [method: string, path: string, content?: object][] = [
    ['POST', `${path}/members`, { email: stranger.email, role: 'editor' }],
    ['PATCH', `${path}/members/${editor.id}`, { role: 'viewer' }],
    ['DELETE', `${path}/members/${editor.id}`],
    ['POST', `${path}/tokens`, { name: 'late', role: 'editor' }],
    ['DELETE', `${path}/tokens/${token.id}`],
    ['PATCH', path, { name: 'late' }],
    ['POST', links, { folderId: workspace.rootFolderId }],
    ['POST', links, { fileIds: [file.id] }],
    ['PATCH', `${links}/${link.body.id}`, { title: 'late' }],
    ['DELETE', `${links}/${link.body.id}`],
    ['PATCH', `/api/storage/files/${file.id}`, { visibility: 1 }],
    ['DELETE', `${fileVersions}/${version?.id}`],
    ['DELETE', `/api/storage/files/${file.id}`],
    ['DELETE', path],
  ];
  for (const [method, to, content] of changes)
    expect(await demoteDuring(method, to, content)).toEqual([method, to, 403, 'role_insufficient']);
  await server.stop();
});
