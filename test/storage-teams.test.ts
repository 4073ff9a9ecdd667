import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { createTeam, createTeamToken, filesIn, type Team, type WorkspaceAnswer } from './harness/teams.ts';
import { metadata, tusOf } from './harness/tus.ts';
import { until } from './harness/until.ts';

const WORKSPACES = '/api/storage/workspaces';

describe.each(BACKENDS)('shared workspaces on %s', (backend) => {
  let posthouse: Posthouse;
  let team: Team;
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
    });
    team = await createTeam(posthouse);
  });
  afterAll(() => posthouse.stop());

  const path = (rest = '', { workspace } = team) => `${WORKSPACES}/${workspace.id}${rest}`;
  const listed = async (person: { headers: Record<string, string> }) =>
    (await jsonOf(posthouse, person)<WorkspaceAnswer[]>('GET', WORKSPACES)).body;
  const nameOf = ({ email }: { email: string }) => email.split('@')[0];
  const as = (person: { headers: Record<string, string> }) => jsonOf(posthouse, person);

  test('members list them with their role, in addition to their personal workspace', async () => {
    const mine = await listed(team.viewer);
    expect(mine.map(({ personal, role }) => [personal, role])).toEqual([
      [true, 'manager'],
      [false, 'viewer'],
    ]);
    expect(mine[1]).toEqual({ ...team.workspace, role: 'viewer' });
    expect((await listed(team.stranger)).map(({ personal }) => personal)).toEqual([true]);
  });

  test('members work with the same files, viewers without their secrets', async () => {
    const file = await filesIn(posthouse, team.editor, team.workspace).upload('shared');
    await filesIn(posthouse, team.manager, team.workspace).change(file.id, { accessKey: true });
    const seen = (await as(team.viewer)('GET', `/api/storage/files/${file.id}/metadata`)).body;
    expect(Object.keys(seen)).not.toContainAnyValues(['accessKeyPlain', 'directToken', 'uiToken']);
    expect(seen).toMatchObject({ id: file.id, hasAccessKey: true, workspaceId: team.workspace.id });
    const whole = (await as(team.editor)('GET', `/api/storage/files/${file.id}/metadata`)).body;
    expect(Object.keys(whole)).toContain('accessKeyPlain');
    const bytes = await posthouse.fetch(`/api/storage/files/${file.id}/content`, team.viewer);
    expect(await bytes.text()).toBe('shared');
    const page = await as(team.viewer)<{ id: string }[]>(
      'GET',
      `/api/storage/files/root?workspaceId=${team.workspace.id}`,
    );
    expect(page.body.find(({ id }) => id === file.id)).toMatchObject({
      createdBy: nameOf(team.editor),
      modifiedBy: nameOf(team.manager),
    } as object);
  });

  test('have a separate root, trash and usage', async () => {
    const other = await createTeam(posthouse, 'Root');
    const inRoot = `?workspaceId=${other.workspace.id.toUpperCase()}`;
    const folder = await as(other.editor)<{ id: string; parentFolderId: string }>(
      'POST',
      `/api/storage/folders${inRoot}`,
      { name: 'in the root' },
    );
    expect([folder.status, folder.body.parentFolderId]).toEqual([201, other.workspace.rootFolderId]);
    const file = await filesIn(posthouse, other.editor, other.workspace).upload('12345');
    const usage = await as(other.viewer)('GET', `/api/storage/usage${inRoot}`);
    expect(usage.body).toMatchObject({ usedBytes: 5, maxBytes: other.workspace.maxBytes });
    expect((await as(other.viewer)('GET', '/api/storage/usage')).body).toMatchObject({ usedBytes: 0 });
    const tus = tusOf(posthouse, other.editor.headers);
    const upload = await tus.send('POST', `/api/storage/uploads${inRoot}`, {
      'Upload-Length': '0',
      'Upload-Metadata': metadata({ filename: 'empty.txt' }),
    });
    expect(upload.status).toBe(201);
    const names = await as(other.viewer)<{ originalName: string }[]>(
      'GET',
      `/api/storage/files/root${inRoot}`,
    );
    expect(names.body.map(({ originalName }) => originalName)).toEqual(['empty.txt', 'file.txt']);
    await filesIn(posthouse, other.editor, other.workspace).remove(file.id);
    const trash = await as(other.editor)<{ id: string }[]>('GET', `/api/storage/trash${inRoot}`);
    expect(trash.body.map(({ id }) => id)).toEqual([file.id]);
  });

  test('managers add, change and remove members, one of whom stays manager', async () => {
    const { manager, editor, viewer } = await createTeam(posthouse, 'Members').then((created) => {
      team = created;
      return created;
    });
    const of = (id: string) => path(`/members/${id}`);
    const members = await as(manager)<{ accountId: string; email: string; role: string }[]>(
      'GET',
      path('/members'),
    );
    expect(members.body.map(({ email, role }) => [email, role])).toEqual([
      [manager.email, 'manager'],
      [editor.email, 'editor'],
      [viewer.email, 'viewer'],
    ]);
    const add = (email: string) => as(manager)('POST', path('/members'), { email, role: 'editor' });
    expect((await add('nobody@example.org')).body.code).toBe('unknown_account');
    expect((await add(viewer.email.toUpperCase())).body.code).toBe('already_member');
    expect((await as(manager)('PATCH', of(manager.id), { role: 'editor' })).body.code).toBe('last_manager');
    expect((await as(manager)('DELETE', of(manager.id))).body.code).toBe('last_manager');
    expect((await as(manager)('PATCH', of(editor.id), { role: 'manager' })).body).toMatchObject({
      accountId: editor.id,
      role: 'manager',
    });
    expect((await as(manager)('DELETE', of(manager.id))).status).toBe(204);
    expect((await as(manager)('GET', path('/members'))).status).toBe(404);
    expect((await as(viewer)('DELETE', of(viewer.id))).status).toBe(204);
    expect((await as(editor)('DELETE', of(viewer.id))).status).toBe(404);
    team = await createTeam(posthouse, 'After');
  });

  test('two managers cannot leave at the same time', async () => {
    const { manager, editor } = team;
    await as(manager)('PATCH', path(`/members/${editor.id}`), { role: 'manager' });
    const left = await Promise.all(
      [manager, editor].map((person) => as(person)('DELETE', path(`/members/${person.id}`))),
    );
    expect(left.map(({ status }) => status).sort()).toEqual([204, 409]);
    team = await createTeam(posthouse, 'After');
  });

  test('a deleted one is inaccessible to everyone at once, until a manager restores it', async () => {
    const files = filesIn(posthouse, team.editor, team.workspace);
    const { id, directToken } = await files.change((await files.upload('public')).id, { visibility: 1 });
    const open = async () => (await posthouse.fetch(`/api/storage/public/media/${directToken}`)).status;
    const read = async () => (await as(team.viewer)('GET', `/api/storage/files/${id}/metadata`)).status;
    expect([await open(), await read()]).toEqual([200, 200]);
    expect((await as(team.manager)('DELETE', path())).status).toBe(204);
    expect([await open(), await read()]).toEqual([404, 404]);
    expect((await listed(team.viewer)).length).toBe(1);
    const deleted = (await listed(team.manager)).find((one) => one.id === team.workspace.id);
    expect(Date.parse(deleted?.dateErased ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    expect((await as(team.editor)('POST', path('/restore'))).status).toBe(403);
    expect((await as(team.manager)('POST', path('/restore'))).body).toEqual({
      ...deleted,
      dateErased: undefined,
    } as never);
    expect([await open(), await read()]).toEqual([200, 200]);
  });

  test('tokens reach the files of their workspace with their role, until they are revoked', async () => {
    const [viewer, editor] = [
      await createTeamToken(posthouse, team, 'viewer'),
      await createTeamToken(posthouse, team, 'editor'),
    ];
    expect((await listed(editor)).map(({ id, role }) => [id, role])).toEqual([[team.workspace.id, 'editor']]);
    const folder = await as(editor)('POST', '/api/storage/folders', { name: 'by a token' });
    expect(folder.body).toMatchObject({ parentFolderId: team.workspace.rootFolderId });
    expect((await as(viewer)('POST', '/api/storage/folders', { name: 'b' })).body.code).toBe(
      'role_insufficient',
    );
    expect((await as(viewer)('GET', '/api/storage/usage')).status).toBe(200);
    const used = await until(async () => {
      const { body } = await as(team.manager)<{ id: string; role: string; dateUsed: string | null }[]>(
        'GET',
        path('/tokens'),
      );
      return body.find(({ id, dateUsed }) => id === viewer.id && dateUsed !== null);
    });
    expect(used).toMatchObject({ role: 'viewer', dateUsed: expect.any(String) });
    const members = await as(team.manager)<unknown[]>('GET', path('/members'));
    expect(members.body.length).toBe(3);
    expect((await as(team.manager)('DELETE', path(`/tokens/${editor.id}`))).status).toBe(204);
    expect((await as(editor)('GET', '/api/storage/usage')).status).toBe(401);
    const { database } = await foundationOf(posthouse.settings);
    await database.transaction((trx) =>
      trx.updateTable('workspace_tokens').set({ expires_at: 1 }).where('id', '=', viewer.id).execute(),
    );
    expect((await as(viewer)('GET', '/api/storage/usage')).status).toBe(401);
  });

  test('files and folders move between workspaces with their ids and links, within the quota', async () => {
    const files = filesIn(posthouse, team.editor, team.workspace);
    const { id, directToken } = await files.change((await files.upload('12345')).id, { visibility: 1 });
    const folder = await as(team.editor)('POST', '/api/storage/folders', { name: 'to move' });
    const inRoot = { targetFolderId: 'root' };
    const move = (who: { headers: Record<string, string> }) =>
      as(who)('POST', `/api/storage/files/${id}/move?workspaceId=${team.workspace.id}`, inRoot);
    expect((await as(team.editor)('POST', `/api/storage/files/${id}/move`, inRoot)).status).toBe(200);
    expect((await as(team.viewer)('GET', `/api/storage/files/${id}/metadata`)).status).toBe(404);
    expect((await posthouse.fetch(`/api/storage/public/media/${directToken}`)).status).toBe(200);
    expect((await as(team.editor)('GET', '/api/storage/usage')).body).toMatchObject({ usedBytes: 5 });
    const into = { targetFolderId: folder.body.id };
    await as(team.editor)('POST', `/api/storage/files/${id}/move`, into);
    const path = `/api/storage/folders/${folder.body.id}`;
    const inTeam = { parentFolderId: team.workspace.rootFolderId };
    expect((await as(team.viewer)('PATCH', path, inTeam)).status).toBe(404);
    const { database } = await foundationOf(posthouse.settings);
    const setQuota = (bytes: number | null) =>
      database.transaction((trx) =>
        trx.updateTable('workspaces').set({ max_bytes: bytes }).where('id', '=', team.workspace.id).execute(),
      );
    await setQuota(4);
    expect((await as(team.editor)('PATCH', path, inTeam)).body.code).toBe('quota_exceeded');
    await setQuota(null);
    expect((await as(team.editor)('PATCH', path, inTeam)).body).toMatchObject({
      id: folder.body.id,
      workspaceId: team.workspace.id,
    });
    expect((await as(team.viewer)('GET', `/api/storage/files/${id}/metadata`)).body).toMatchObject({
      workspaceId: team.workspace.id,
      folderId: folder.body.id,
    });
    expect((await move(team.viewer)).body.code).toBe('role_insufficient');
    expect((await as(team.editor)('GET', '/api/storage/usage')).body).toMatchObject({ usedBytes: 0 });
    expect((await posthouse.fetch(`/api/storage/public/media/${directToken}`)).status).toBe(200);
  });

  test('viewers copy files and folders out of a workspace, as private files without secrets', async () => {
    const files = filesIn(posthouse, team.editor, team.workspace);
    const shared = { visibility: 1, accessKey: true, filePassword: 'secret', sharedBy: 'Ann' };
    const original = await files.change((await files.upload('bytes to copy')).id, shared);
    const copyOf = async (person: { headers: Record<string, string> }, targetFolderId: string) =>
      await as(person)<Record<string, unknown>>('POST', `/api/storage/files/${original.id}/copy`, {
        targetFolderId,
      });
    expect((await copyOf(team.viewer, team.workspace.rootFolderId)).status).toBe(403);
    expect((await copyOf(team.stranger, 'root')).status).toBe(404);
    const copy = await copyOf(team.viewer, 'root');
    expect([copy.status, copy.body]).toMatchObject([
      201,
      {
        visibility: 0,
        hasAccessKey: false,
        hasFilePassword: false,
        sharedBy: null,
        sha256: original.sha256,
      },
    ]);
    expect(copy.body.directToken).not.toBe(original.directToken);
    await files.remove(original.id);
    const bytes = await posthouse.fetch(`/api/storage/files/${copy.body.id}/content`, team.viewer);
    expect(await bytes.text()).toBe('bytes to copy');
    const inTeam = { name: 'tree', parentFolderId: team.workspace.rootFolderId };
    const { body: folder } = await as(team.editor)('POST', '/api/storage/folders', inTeam);
    await as(team.editor)('POST', '/api/storage/folders', { name: 'inner', parentFolderId: folder.id });
    const copied = await as(team.viewer)<{ id: string }>('POST', `/api/storage/folders/${folder.id}/copy`, {
      targetFolderId: 'root',
    });
    expect(copied.status).toBe(201);
    const usage = await as(team.viewer)('GET', `/api/storage/usage/folder/${copied.body.id}`);
    expect(usage.body).toMatchObject({ folderCount: 1, fileCount: 0 });
  });

  test('a workspace has a hundred tokens', async () => {
    const create = () => as(team.manager)('POST', path('/tokens'), { name: 'x', role: 'viewer' });
    const created = [];
    for (let token = 0; token < 101; token++) created.push((await create()).status);
    expect([created.filter((status) => status === 201).length > 90, created.at(-1)]).toEqual([true, 409]);
  });

  test('an account creates ten', async () => {
    const person = await addPerson(posthouse.settings, 'ten@example.org');
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, n) => as(person)('POST', WORKSPACES, { name: `team ${n}` })),
    );
    expect(created.filter(({ status }) => status === 201).length).toBe(10);
    expect(created.filter(({ body }) => body.code === 'workspace_not_allowed').length).toBe(2);
  });
});
