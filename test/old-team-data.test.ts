import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { filesOf, type Metadata } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { oldData, unpack } from './harness/old-data.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { treeOf } from './harness/trees.ts';
import { tusOf, uploadBytes } from './harness/tus.ts';

const CASES = oldData().flatMap(({ facts: { team, ...facts }, ...data }) =>
  team ? [{ ...data, facts, team }] : [],
);

interface Shared {
  title: string | null;
  message: string | null;
  folders: { name: string }[];
  files: { id: string; name: string; hasThumbnail: boolean }[];
  hidden: number;
}

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

describe.each(CASES)('the shared workspaces of $name on $database open', ({ directory, facts, team }) => {
  const headers = { Authorization: `Bearer ${facts.token}` };
  const { album, chosen, inbox, deleted } = team;
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let call: ReturnType<typeof jsonOf>;
  beforeAll(async () => {
    posthouse = await startPosthouse(await unpack(directory));
    files = filesOf(posthouse, headers);
    call = jsonOf(posthouse, { headers });
  });
  afterAll(() => posthouse?.stop());

  const shared = async (token: string, password = '') => {
    const answer = await posthouse.fetch(`/api/storage/public/folder/${token}`, {
      headers: { 'X-File-Password': password },
    });
    return { status: answer.status, body: (await answer.json()) as Shared & { code?: string } };
  };
  const textOf = async (path: string) => await (await files.get(path)).text();

  test('with their members, tokens, folders and files', async () => {
    expect(await treeOf(files, team.rootFolderId)).toEqual(team.tree);
    const { body: members } = await call<{ email: string; role: string }[]>(
      'GET',
      `/api/storage/workspaces/${team.workspaceId}/members`,
    );
    expect(Object.fromEntries(members.map(({ email, role }) => [email, role]))).toEqual({
      [facts.email]: 'manager',
      [team.editorEmail]: 'editor',
    });
    const app = filesOf(posthouse, { Authorization: `Bearer ${team.appToken}` });
    expect(await treeOf(app)).toEqual(team.tree);
    const { body: found } = await call<{ originalName: string; path: string }[]>(
      'GET',
      `/api/storage/search?query=otes&workspaceId=${team.workspaceId}`,
    );
    expect(found).toMatchObject([{ originalName: 'notes.txt', path: 'Álbum / Day 1' }]);
  });

  test('a link to a folder, with its password, limit and pictures', async () => {
    const { token, password } = album.link;
    expect((await shared(token)).body.code).toBe('file_password_required');
    const { body } = await shared(token, password);
    expect(body).toMatchObject({ title: 'The launch', folders: [{ name: 'Day 1' }] });
    expect(body.files).toMatchObject([{ id: album.photo, name: 'photo.jpg', hasThumbnail: true }]);
    const visit = (path: string, userAgent: string) =>
      posthouse.fetch(`/public/folder/${token}/${path}`, {
        headers: { 'X-File-Password': password, 'User-Agent': userAgent },
      });
    expect((await visit(`thumbnail/${album.photo}`, 'one')).headers.get('Content-Type')).toBe('image/webp');
    const bytes = await (await visit(`file/${album.photo}`, 'one')).bytes();
    const { sha256 } = await files.metadata(album.photo);
    expect(digest(bytes)).toBe(sha256);
    // The limit is two visitors, one of whom was counted.
    expect(await refusal(visit(`file/${album.photo}`, 'two'))).toEqual([410, 'download_limit_reached']);
    expect(await (await visit(`preview/${album.photo}`, 'one')).bytes()).not.toHaveLength(0);
    const { body: day } = await call<Shared>(
      'GET',
      `/api/storage/public/folder/${token}?folderId=${album.day}&filePassword=${encodeURIComponent(password)}`,
    );
    expect([day.files.map(({ name }) => name), day.hidden]).toEqual([['notes.txt'], 1]);
  });

  test('a link to chosen files', async () => {
    const { body } = await shared(chosen.link.token);
    expect([body.message, body.folders, body.files.map(({ name }) => name)]).toEqual([
      'Two of them',
      [],
      chosen.names,
    ]);
  });

  test('a link that takes files, and an upload through it, which continues at its offset', async () => {
    const { link, maxFiles, sent, sender, upload } = inbox;
    const path = `/api/storage/links/${link.id}`;
    expect((await call('GET', path)).body).toMatchObject({ access: 'upload', uploadCount: 1, maxFiles });
    const tus = tusOf(posthouse, {}, `/public/folder/${link.token}/uploads`);
    expect(await refusal(tus.create(1))).toEqual([410, 'upload_limit_reached']);
    expect(await tus.offset(upload.path)).toBe(upload.received);
    const all = uploadBytes(upload.bytes);
    expect((await tus.patch(upload.path, upload.received, all.subarray(upload.received))).status).toBe(204);
    expect((await call('GET', path)).body).toMatchObject({ uploadCount: 2 });
    const folder = Object.entries(team.tree).find(([name]) => name === 'Inbox/')?.[1];
    const listed = await files.read<(Metadata & { sender: string })[]>(`/api/storage/files/${folder}`);
    expect(listed.map(({ originalName, sender }) => [originalName, sender]).sort()).toEqual([
      [sent, sender],
      [upload.name, sender],
    ]);
    const file = listed.find(({ originalName }) => originalName === upload.name);
    expect(file?.sha256).toBe(digest(all));
  });

  test('the versions of a file', async () => {
    const { id, texts } = team.versions;
    const [present = '', ...former] = texts;
    const path = `/api/storage/files/${id}`;
    const versions = await files.read<{ id: string }[]>(`${path}/versions`);
    expect(await textOf(`${path}/content`)).toBe(present);
    expect(
      await Promise.all(versions.map((version) => textOf(`${path}/versions/${version.id}/content`))),
    ).toEqual(former);
    const oldest = versions.at(-1)?.id;
    expect((await call('POST', `${path}/versions/${oldest}/restore`)).status).toBe(200);
    expect(await textOf(`${path}/content`)).toBe(former.at(-1) ?? '');
  });

  test('a deleted folder, which is restored with everything in it and its link', async () => {
    const { id, link, tree } = deleted;
    expect((await shared(link.token)).status).toBe(404);
    const trash = `/api/storage/trash?workspaceId=${team.workspaceId}`;
    expect((await call('GET', trash)).body).toMatchObject([
      { id, kind: 'folder', name: 'Old', fileCount: 2 },
    ]);
    expect((await call('POST', `/api/storage/trash/${id}/restore`)).status).toBe(200);
    expect(await treeOf(files, id)).toEqual(tree);
    expect((await shared(link.token)).body).toMatchObject({
      folders: [{ name: 'Inner' }],
      files: [{ name: 'a.txt' }],
    });
  });

  test('a deleted workspace, which is restored', async () => {
    const { id, file, text } = team.gone;
    const content = `/api/storage/files/${file}/content`;
    expect((await files.get(content)).status).toBe(404);
    expect((await call('POST', `/api/storage/workspaces/${id}/restore`)).status).toBe(200);
    expect(await textOf(content)).toBe(text);
  });
});
