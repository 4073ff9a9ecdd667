import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freshSettings } from './harness/backends.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addToken, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { createTeam, createTeamToken, filesIn, jsonOf, type Person, type Team } from './harness/teams.ts';
import { metadata, tusOf } from './harness/tus.ts';

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
