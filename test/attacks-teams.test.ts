import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import {
  createTeam,
  createTeamToken,
  filesIn,
  type Person,
  type Team,
  type WorkspaceAnswer,
} from './harness/teams.ts';
import { metadata, tusOf } from './harness/tus.ts';

/* Attacks of members and tokens on workspaces, and of visitors on links. docs/security.md lists the others. */

const LINKS = '/api/storage/links';
const PUBLIC = '/api/storage/public/folder';
let posthouse: Posthouse;
let team: Team;
let other: Team;

beforeAll(async () => {
  posthouse = await startPosthouse({
    ...(await freshSettings()),
    POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
  });
  team = await createTeam(posthouse);
  other = await createTeam(posthouse, 'Other');
});
afterAll(async () => {
  expect(posthouse.output()).not.toContain('unexpected error');
  await posthouse.stop();
});

const as = (person: Person) => jsonOf(posthouse, person);
const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer;
  return [status, body?.code];
};
const NOT_FOUND = [404, 'not_found'];
const newFolder = async (person: Person, name: string, parentFolderId: string) =>
  (await as(person)('POST', '/api/storage/folders', { name, parentFolderId })).body.id;

describe('a viewer', () => {
  test('takes nothing out of a workspace, except as a copy, and puts nothing in', async () => {
    const { id } = await filesIn(posthouse, team.editor, team.workspace).upload('x', 'team.txt');
    const own = await filesOf(posthouse, team.viewer.headers).upload('y', { name: 'own.txt' });
    const folder = await newFolder(team.editor, 'f', team.workspace.rootFolderId);
    const viewer = as(team.viewer);
    const insufficient = [403, 'role_insufficient'];
    const root = { targetFolderId: 'root' };
    const into = { targetFolderId: team.workspace.rootFolderId };
    for (const attempt of [
      viewer('POST', `/api/storage/files/${id}/move`, root),
      viewer('POST', `/api/storage/files/${own.id}/move`, into),
      viewer('POST', `/api/storage/files/${own.id}/copy`, into),
      viewer('PATCH', `/api/storage/folders/${folder}`, { parentFolderId: 'root' }),
      viewer('POST', `/api/storage/folders/${folder}/copy`, into),
      viewer('POST', LINKS, { folderId: folder }),
      viewer('POST', LINKS, { fileIds: [own.id, id] }),
    ])
      expect(await codeOf(attempt)).toEqual(insufficient);
    const { create } = tusOf(posthouse, team.viewer.headers);
    const targets: Record<string, string>[] = [{ folderId: folder }, { replaceFileId: id }];
    for (const target of targets)
      expect(await refusal(create(1, { filename: 'a', ...target }))).toEqual([403, 'role_insufficient']);
  });
});

describe('a member who lost the role', () => {
  test('cannot continue an upload, use an earlier link or restore', async () => {
    const editor = await addPerson(posthouse.settings, 'former@example.org');
    const members = `/api/storage/workspaces/${team.workspace.id}/members`;
    await as(team.manager)('POST', members, { email: editor.email, role: 'editor' });
    const tus = tusOf(posthouse, editor.headers);
    const folderId = team.workspace.rootFolderId;
    const upload = await tus.begin(4, { filename: 'late.txt', folderId });
    const files = filesIn(posthouse, editor, team.workspace);
    const { id } = await files.upload('x', 'gone.txt');
    const { body: link } = await as(editor)('POST', LINKS, { folderId });
    await files.remove(id);
    expect((await tus.patch(upload, 0, 'ab')).status).toBe(204);
    await as(team.manager)('PATCH', `${members}/${editor.id}`, { role: 'viewer' });
    expect(await refusal(tus.patch(upload, 2, 'cd'))).toEqual([403, 'role_insufficient']);
    expect((await as(editor)('POST', `/api/storage/trash/${id}/restore`)).status).toBe(403);
    expect((await as(editor)('PATCH', `${LINKS}/${link.id}`, { access: 'both' })).status).toBe(403);
    await as(team.manager)('DELETE', `${members}/${editor.id}`);
    expect(await refusal(tus.patch(upload, 2, 'cd'))).toEqual([404, 'not_found']);
    expect(await codeOf(as(editor)('GET', `${LINKS}/${link.id}`))).toEqual(NOT_FOUND);
    expect(await codeOf(as(editor)('POST', `/api/storage/trash/${id}/restore`))).toEqual(NOT_FOUND);
  });
});

describe('the token of a workspace', () => {
  test('permits access to no other workspace, and no management', async () => {
    const token = await createTeamToken(posthouse, team, 'editor');
    const { id } = await filesIn(posthouse, other.editor, other.workspace).upload('x', 'other.txt');
    const mine = await filesIn(posthouse, token, team.workspace).upload('x', 'mine.txt');
    const folder = await newFolder(other.editor, 'theirs', other.workspace.rootFolderId);
    const call = as(token);
    const theirs = { targetFolderId: folder };
    for (const attempt of [
      call('POST', `/api/storage/files/${mine.id}/move`, theirs),
      call('POST', `/api/storage/files/${mine.id}/copy`, theirs),
      call('POST', `/api/storage/files/${mine.id}/copy?workspaceId=${other.workspace.id}`, {
        targetFolderId: 'root',
      }),
      call('POST', `/api/storage/files/${id}/copy`, { targetFolderId: 'root' }),
      call('POST', LINKS, { fileIds: [mine.id, id] }),
      call('POST', LINKS, { folderId: folder }),
      call('POST', `${LINKS}?workspaceId=${other.workspace.id}`, { folderId: 'root' }),
      call('GET', `/api/storage/search?workspaceId=${other.workspace.id}`),
      call('GET', `/api/storage/recent?workspaceId=${other.workspace.id}`),
      call('GET', `${LINKS}?workspaceId=${other.workspace.id}`),
      call('GET', `/api/storage/trash?workspaceId=${other.workspace.id}`),
      call('GET', `/api/storage/timeline?workspaceId=${other.workspace.id}`),
      call('GET', `/api/storage/files/root?workspaceId=${other.workspace.id}`),
    ])
      expect(await codeOf(attempt)).toEqual(NOT_FOUND);
    const found = await call<{ originalName: string }[]>('GET', '/api/storage/search?query=.txt');
    expect(JSON.stringify(found.body)).not.toContain('other.txt');
    const tokens = `/api/storage/workspaces/${team.workspace.id}/tokens`;
    for (const [method, path, body] of [
      ['POST', tokens, { name: 'more', role: 'editor' }],
      ['GET', '/api/me', undefined],
      ['GET', '/api/account/tokens', undefined],
      ['GET', '/api/admin/people', undefined],
      ['POST', '/api/storage/workspaces', { name: 'own' }],
    ] as const)
      expect((await call(method, path, body)).status).toBeOneOf([401, 403]);
  });

  test('ends with its workspace, and cannot be created for a deleted one', async () => {
    const { body: gone } = await as(team.manager)<WorkspaceAnswer>('POST', '/api/storage/workspaces', {
      name: 'gone',
    });
    const token = await createTeamToken(posthouse, { ...team, workspace: gone }, 'editor');
    const files = filesOf(posthouse, token.headers);
    const file = await files.upload('x', { folder: gone.rootFolderId });
    await files.change(file.id, { visibility: 1 });
    const { body: link } = await as(token)<{ token: string }>('POST', LINKS, { folderId: gone.rootFolderId });
    expect((await posthouse.fetch(`${PUBLIC}/${link.token}`)).status).toBe(200);
    await as(team.manager)('DELETE', `/api/storage/workspaces/${gone.id}`);
    expect((await files.get(`/api/storage/files/${file.id}/content`)).status).toBeOneOf([401, 404]);
    for (const path of [`${PUBLIC}/${link.token}`, `/api/storage/public/media/${file.directToken}`])
      expect((await posthouse.fetch(path)).status).toBe(404);
    const again = as(team.manager)('POST', `/api/storage/workspaces/${gone.id}/tokens`, {
      name: 'x',
      role: 'viewer',
    });
    expect(await codeOf(again)).toEqual(NOT_FOUND);
  });

  test.each(['manager', 'owner', 'admin', 'Editor'])('has no role %s', async (role) => {
    const path = `/api/storage/workspaces/${team.workspace.id}/tokens`;
    expect((await as(team.manager)('POST', path, { name: 'x', role })).status).toBe(400);
  });
});

describe('ids of other files', () => {
  test('open no version of another file, and restore nothing into it', async () => {
    const files = filesOf(posthouse, team.stranger.headers);
    const [mine, secret] = [
      await files.upload('mine', { name: 'a' }),
      await files.upload('v1', { name: 'b' }),
    ];
    const versions = `/api/storage/files/${secret.id}/versions`;
    await files.replace(secret.id, 'v2', 'b');
    const [version] = await files.read<{ id: string }[]>(versions);
    expect((await files.get(`${versions}/${version?.id}/content`)).status).toBe(200);
    for (const path of [
      `/api/storage/files/${mine.id}/versions/${version?.id}/content`,
      `/api/storage/files/${mine.id}/versions/${secret.id}/content`,
    ])
      expect((await files.get(path)).status).toBe(404);
    const restore = files.post(`/api/storage/files/${mine.id}/versions/${version?.id}/restore`);
    expect((await restore).status).toBe(404);
    for (const person of [team.manager, other.manager])
      expect(
        (await filesOf(posthouse, person.headers).get(`${versions}/${version?.id}/content`)).status,
      ).toBe(404);
  });

  test('a cursor of another list does not reveal its items', async () => {
    const stranger = filesOf(posthouse, team.stranger.headers);
    for (const name of ['c1', 'c2', 'c3']) await stranger.upload('x', { name });
    for (const list of ['/api/storage/search', '/api/storage/recent', '/api/storage/files/root']) {
      const page = await stranger.get(`${list}?limit=1`);
      const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
      expect(cursor).not.toBe('');
      const theirs = await filesOf(posthouse, other.stranger.headers).get(`${list}?cursor=${cursor}`);
      expect([theirs.status, await theirs.text()]).toEqual([200, expect.not.stringMatching(/c[123]/)]);
    }
  });
});

describe('a visitor of a link', () => {
  async function shared(change: object = {}) {
    const owner = await addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
    const files = filesOf(posthouse, owner.headers);
    const above = await newFolder(owner, 'above', 'root');
    const folder = await newFolder(owner, 'shared', above);
    const beside = await newFolder(owner, 'beside', above);
    const below = await newFolder(owner, 'below', folder);
    await files.upload('x', { name: 'open.txt', folder });
    await files.upload('x', { name: 'hidden beside.txt', folder: beside });
    const { body } = await as(owner)<{ id: string; token: string }>('POST', LINKS, {
      folderId: folder,
      ...change,
    });
    return { owner, files, above, folder, beside, below, link: body };
  }

  test('sees nothing outside the folder, nor other workspaces', async () => {
    const { link, above, beside, below, folder, owner } = await shared();
    const get = (folderId: string) => posthouse.fetch(`${PUBLIC}/${link.token}?folderId=${folderId}`);
    expect((await get(below)).status).toBe(200);
    const { body: root } = await as(owner)<{ id: string }>('GET', '/api/storage/folders/root');
    for (const id of [above, beside, root.id, team.workspace.rootFolderId])
      expect((await get(id)).status).toBe(404);
    expect((await get('root')).status).toBe(400);
    const whole = await (await get(folder)).text();
    expect(whole).not.toMatch(/above|beside/);
    // A folder that leaves takes its files out of the link.
    await as(owner)('PATCH', `/api/storage/folders/${below}`, { parentFolderId: above });
    expect((await get(below)).status).toBe(404);
  });

  test('passes no password by another link, token or cookie, and guesses ten times', async () => {
    const locked = await shared({ password: 'right one' });
    const open = await shared();
    const url = `${PUBLIC}/${locked.link.token}`;
    const statusOf = async (path: string, init?: RequestInit) => (await posthouse.fetch(path, init)).status;
    expect(await statusOf(url)).toBe(403);
    expect(await statusOf(`${PUBLIC}/${open.link.token}?folderId=${locked.folder}`)).toBe(404);
    expect(await statusOf(`${url}?filePassword=right%20one`)).toBe(200);
    for (const [method, headers] of [
      ['GET', { 'X-File-Password': '' }],
      ['HEAD', {}],
      ['GET', { Authorization: locked.owner.headers.Authorization ?? '' }],
    ] as const)
      expect(await statusOf(url, { method, headers })).toBe(403);
    const guesses = Array.from({ length: 30 }, (_, guess) => statusOf(`${url}?filePassword=${guess}`));
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  });

  test('downloads nothing outside the folder, nothing hidden, and nothing without the password', async () => {
    const { link, files, folder, beside } = await shared({ password: 'right one' });
    const ids = {
      open: (await files.upload('open', { name: 'a', folder })).id,
      hidden: (await files.upload('hidden', { name: 'b', folder })).id,
      beside: (await files.upload('beside', { name: 'c', folder: beside })).id,
      other: (await filesIn(posthouse, other.editor, other.workspace).upload('other')).id,
    };
    await files.change(ids.hidden, { visibility: 1, filePassword: 'of its own' });
    const get = (path: string, password = 'right one') =>
      posthouse.fetch(`/public/folder/${link.token}${path}`, { headers: { 'X-File-Password': password } });
    expect(await (await get(`/file/${ids.open}`)).text()).toBe('open');
    for (const id of [ids.hidden, ids.beside, ids.other])
      for (const kind of ['file', 'thumbnail']) expect((await get(`/${kind}/${id}`)).status).toBe(404);
    for (const id of [beside, other.workspace.rootFolderId, ids.open])
      expect((await get(`/export/${id}`)).status).toBe(404);
    const zip = await (await get('/export')).text();
    expect([zip.includes('open'), /hidden|beside/.test(zip)]).toEqual([true, false]);
    for (const path of [`/file/${ids.open}`, `/thumbnail/${ids.open}`, '/export', `/export/${folder}`])
      expect((await get(path, '')).status).toBe(403);
  });

  test.each([
    ['no files', { fileIds: [] }],
    ['a message of control characters', { folderId: 'root', message: '\u0000' }],
    ['a title of control characters', { folderId: 'root', title: 'a\u0000' }],
    ['an upload into chosen files', { fileIds: [crypto.randomUUID()], access: 'upload' }],
  ])('the owner creates no link with %s', async (_, body) => {
    expect((await as(team.stranger)('POST', LINKS, body)).status).toBeOneOf([400, 404]);
  });
});

describe('texts of searches', () => {
  test.each(['%', '_', '\\', "'", '%25%00', '*', '"', '(', ' OR ', '%F0%9F%98%80', 'a'.repeat(255)])(
    'the text %s is plain text',
    async (text) => {
      const files = filesOf(posthouse, other.viewer.headers);
      await files.upload('x', { name: 'plain' });
      const answer = await files.get(`/api/storage/search?query=${text}`);
      expect(answer.status).toBeOneOf([200, 400]);
      expect(await answer.text()).not.toContain('"plain"');
    },
  );
});

test('the metadata of an upload cannot name a workspace of others', async () => {
  const { create } = tusOf(posthouse, team.stranger.headers);
  for (const path of [`?workspaceId=${team.workspace.id}`, '?workspaceId=root']) {
    const answer = await posthouse.fetch(`/api/storage/uploads${path}`, {
      method: 'POST',
      headers: {
        ...team.stranger.headers,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '1',
        'Upload-Metadata': metadata({ filename: 'a' }),
      },
    });
    expect(answer.status).toBeOneOf([400, 404]);
  }
  expect(await refusal(create(1, { filename: 'a', folderId: team.workspace.rootFolderId }))).toEqual([
    404,
    'not_found',
  ]);
});
