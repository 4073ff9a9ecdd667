import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openAt } from './harness/database.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { addPerson, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { until } from './harness/until.ts';

const QUOTA = 1_000_000;

interface Entry {
  id: string;
  kind: 'file' | 'folder';
  name: string;
  path: string;
  sizeBytes: number;
  fileCount: number;
  dateDeleted: string;
  dateErased: string;
  deletedBy: string | null;
}

const databaseOf = (settings: Record<string, string>) =>
  openAt(settings.POSTHOUSE_DATABASE_URL ?? join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'));

describe.each(BACKENDS)('the trash on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_BYTES: String(QUOTA),
      POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
    };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ann@example.org'));
    files = filesOf(posthouse, headers);
  });
  afterAll(() => posthouse.stop());

  const request = (method: string, path: string) => posthouse.fetch(path, { method, headers });
  const restore = (id: string, body?: object) => files.post(`/api/storage/trash/${id}/restore`, body);
  const trash = () => files.read<Entry[]>('/api/storage/trash');
  const empty = () => request('DELETE', '/api/storage/trash');
  const pathOf = async (id: string) =>
    (await files.read<{ path: { name: string }[] }>(`/api/storage/folders/${id}`)).path.map(
      ({ name }) => name,
    );
  /** Returns the sentences of `posthouse check` about what is wrong. */
  const flaws = async () => {
    const { stdout } = await runCommand(settings, 'check');
    return stdout.trim().split('\n').slice(1);
  };

  test('holds a folder with everything in it as one entry, which is restored as it was', async () => {
    const photos = await files.newFolder('photos');
    const street = await files.newFolder('Street', photos);
    const shared = await files.upload('a picture', { name: 'IMG_2083.jpg', folder: street });
    const open = await files.change(shared.id, { visibility: 1, filePassword: 'secret' });
    const link = `/api/storage/public/media/${open.directToken}?filePassword=secret`;
    await files.upload('twelve bytes', { name: 'IMG_2084.jpg', folder: photos });
    expect((await request('DELETE', `/api/storage/folders/${photos}`)).status).toBe(409);
    expect((await files.removeFolder(photos)).status).toBe(204);
    expect((await posthouse.fetch(link)).status).toBe(404);
    expect((await files.get(`/api/storage/folders/${street}`)).status).toBe(404);
    expect(await files.usedBytes()).toBe(0);
    const [entry, ...more] = await trash();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      id: photos,
      kind: 'folder',
      name: 'photos',
      path: '',
      fileCount: 2,
      sizeBytes: 21,
    });
    expect(entry?.deletedBy).toBeNull();
    const days = Date.parse(entry?.dateErased ?? '') - Date.parse(entry?.dateDeleted ?? '');
    expect(days).toBe(7 * 86_400_000);
    const back = await restore(photos);
    expect([back.status, await back.json()]).toEqual([
      200,
      {
        id: photos,
        kind: 'folder',
        name: 'photos',
        folderId: (await files.read<{ id: string }>('/api/storage/folders/root')).id,
      },
    ]);
    expect(await (await posthouse.fetch(link)).text()).toBe('a picture');
    expect(await files.metadata(shared.id)).toEqual({ ...open, downloadCount: expect.any(Number) });
    expect(await pathOf(street)).toEqual(['Files', 'photos', 'Street']);
    expect(await files.usedBytes()).toBe(21);
    expect(await trash()).toEqual([]);
    expect(await refusal(restore(photos))).toEqual([404, 'not_found']);
    await files.removeFolder(photos);
  });

  test('creates the folders above again, and numbers names or refuses', async () => {
    const top = await files.newFolder('top');
    const inner = await files.newFolder('inner', top);
    const file = await files.upload('1', { name: 'a.txt', folder: inner });
    await files.remove(file.id);
    await files.removeFolder(inner);
    await files.removeFolder(top);
    const entries = await trash();
    expect(entries.slice(0, 3)).toMatchObject([
      { id: top, kind: 'folder', path: '', fileCount: 0 },
      { id: inner, kind: 'folder', path: 'top', fileCount: 0 },
      { id: file.id, kind: 'file', path: 'top / inner', name: 'a.txt', originalName: 'a.txt', fileCount: 1 },
    ]);
    const restored = (await (await files.post(`/api/storage/files/${file.id}/restore`)).json()) as Metadata;
    expect(await pathOf(restored.folderId)).toEqual(['Files', 'top', 'inner']);
    expect(await refusal(restore(inner, { onConflict: 'fail' }))).toEqual([409, 'name_taken']);
    expect(await (await restore(inner)).json()).toMatchObject({ kind: 'folder', name: 'inner (2)' });
    expect(await pathOf(inner)).toEqual(['Files', 'top', 'inner (2)']);
    const twin = await files.upload('2', { name: 'A.TXT', folder: restored.folderId });
    await files.remove(file.id);
    await files.upload('3', { name: 'a (2).txt', folder: restored.folderId });
    expect(await refusal(restore(file.id, { onConflict: 'fail' }))).toEqual([409, 'name_taken']);
    expect(await (await restore(file.id)).json()).toMatchObject({ kind: 'file', name: 'a (3).txt' });
    expect((await files.metadata(twin.id)).originalName).toBe('A.TXT');
    const { path } = await files.read<{ path: { id: string }[] }>(`/api/storage/folders/${inner}`);
    await files.removeFolder(path[1]?.id ?? '');
  });

  test('restores one file of a folder, and refuses a folder that no longer fits', async () => {
    await empty();
    const id = await files.newFolder('large');
    const file = await files.upload(Buffer.alloc(QUOTA / 2), { folder: id });
    const small = await files.upload('small', { folder: id });
    await files.removeFolder(id);
    const other = await files.upload(Buffer.alloc(QUOTA / 2));
    const before = await trash();
    expect(await refusal(restore(id))).toEqual([507, 'quota_exceeded']);
    expect(await trash()).toEqual(before);
    expect((await files.get(`/api/storage/folders/${id}`)).status).toBe(404);
    expect(await files.usedBytes()).toBe(QUOTA / 2);
    expect((await restore(small.id)).status).toBe(200);
    expect(await trash()).toMatchObject([{ id, fileCount: 1, sizeBytes: QUOTA / 2 }]);
    await files.remove(other.id);
    expect(await (await restore(id)).json()).toMatchObject({ name: 'large (2)' });
    expect((await files.get(`/api/storage/files/${file.id}/content`)).status).toBe(200);
    await files.remove(file.id);
  });

  test('opens no link into a folder that a killed process was deleting', async () => {
    const outer = await files.newFolder('killed');
    const inner = await files.newFolder('inner', outer);
    const { id } = await files.upload('seven', { folder: inner });
    const { directToken } = await files.change(id, { visibility: 1 });
    const link = `/api/storage/public/media/${directToken}`;
    const chosen = (await (await files.post('/api/storage/links', { fileIds: [id] })).json()) as {
      token: string;
    };
    const listed = async () =>
      await (await posthouse.fetch(`/api/storage/public/folder/${chosen.token}`)).json();
    const zip = async () => (await posthouse.fetch(`/public/folder/${chosen.token}/export`)).status;
    await files.removeFolder(outer);
    // As after the first transaction: the folder itself is deleted, its content is not yet.
    await databaseOf(settings).transaction(async (trx) => {
      const [row] = await trx.deleteFrom('trash_folders').where('id', '=', inner).returningAll().execute();
      if (!row) throw new Error('the folder is not in the trash');
      const { tree_id, is_open, ...folder } = row;
      await trx.insertInto('folders').values(folder).execute();
      await trx.updateTable('trash_folders').set({ is_open: 1 }).where('id', '=', outer).execute();
      const sums = { size_bytes: 0, file_count: 0, state: 'removing' as const };
      await trx.updateTable('trash_trees').set(sums).where('id', '=', outer).execute();
      await trx.updateTable('files').set({ deleted_at: null, trash_id: null }).where('id', '=', id).execute();
      await trx
        .updateTable('workspaces')
        .set((set) => ({
          moving_tree_id: outer,
          used_bytes: set('used_bytes', '+', 5),
          trash_bytes: set('trash_bytes', '-', 5),
        }))
        .where('id', '=', folder.workspace_id)
        .execute();
    });
    expect((await posthouse.fetch(link)).status).toBe(404);
    expect([await listed(), await zip()]).toEqual([expect.objectContaining({ files: [] }), 204]);
    expect((await restore(outer)).status).toBe(200);
    expect(await (await posthouse.fetch(link)).text()).toBe('seven');
    expect([await listed(), await zip()]).toEqual([
      expect.objectContaining({ files: [expect.objectContaining({ id })] }),
      200,
    ]);
    await files.removeFolder(outer);
  });

  test('of a shared workspace names the member that deleted an entry', async () => {
    const team = (await (await files.post('/api/storage/workspaces', { name: 'Team' })).json()) as {
      id: string;
      rootFolderId: string;
    };
    await files.removeFolder(await files.newFolder('shared', team.rootFolderId));
    const { name } = await files.read<{ name: string }>('/api/me');
    const entries = await files.read<Entry[]>(`/api/storage/trash?workspaceId=${team.id}`);
    expect(entries).toMatchObject([{ name: 'shared', deletedBy: name }]);
    expect(await trash()).not.toMatchObject([{ name: 'shared' }]);
  });

  test('is read page by page, and erased entry by entry or as a whole', async () => {
    await empty();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const folder = await files.newFolder(`page ${name}`);
      const { id } = await files.upload(name, { folder, name });
      if (name < 'c') await files.remove(id);
      else await files.removeFolder(folder);
      ids.unshift(name < 'c' ? id : folder);
    }
    const seen = await files.readPages<Entry>('/api/storage/trash?limit=2');
    expect(seen.map(({ id }) => id)).toEqual(ids);
    expect((await files.get('/api/storage/trash?cursor=x')).status).toBe(400);
    for (const id of [ids[0], ids[4]]) {
      expect((await request('DELETE', `/api/storage/trash/${id}`)).status).toBe(204);
      expect((await request('DELETE', `/api/storage/trash/${id}`)).status).toBe(404);
      expect((await restore(id ?? '')).status).toBe(404);
    }
    expect((await trash()).map(({ id }) => id)).toEqual(ids.slice(1, 4));
    expect((await empty()).status).toBe(204);
    expect(await trash()).toEqual([]);
    expect((await restore(ids[1] ?? '')).status).toBe(404);
  });

  test('counts correctly while folders and files are uploaded, deleted, restored and erased at once', async () => {
    const folders = await Promise.all(
      Array.from({ length: 3 }, (_, index) => files.newFolder(`race ${index}`)),
    );
    const inner = await Promise.all(folders.map((id) => files.newFolder('inner', id)));
    const any = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)];
    const act = async () => {
      const [entry, folder] = [any(await trash()), any([...folders, ...inner])];
      const kind = Math.random();
      if (kind < 0.35) return await files.send(folder ?? '', 'x'.repeat(Math.random() * 50_000), 'race.txt');
      if (kind < 0.6) return await files.removeFolder(folder ?? '');
      if (kind < 0.9) return await restore(entry?.id ?? folder ?? '');
      return await request('DELETE', `/api/storage/trash/${entry?.id ?? folder}`);
    };
    const worker = async () => {
      for (let round = 0; round < 8; round++)
        expect([200, 201, 204, 404, 507]).toContain((await act()).status);
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    const sum = async (id: string) =>
      (await files.read<{ usedBytes: number }>(`/api/storage/usage/folder/${id}`)).usedBytes;
    expect(await files.usedBytes()).toBe(await sum('root'));
    expect(await flaws()).toEqual([]);
  });

  test('leaves no byte behind when all is erased', async () => {
    await files.removeFolder(await files.newFolder('last'));
    for (const { id } of (await files.read<{ folders: { id: string }[] }>('/api/storage/folders/root'))
      .folders)
      expect((await files.removeFolder(id)).status).toBe(204);
    for (const { id } of await files.read<Metadata[]>('/api/storage/files/root')) await files.remove(id);
    await empty();
    expect(await files.usedBytes()).toBe(0);
    await until(
      async () =>
        (await flaws()).length === 0 &&
        (await runCommand(settings, 'check')).stdout.startsWith(
          '0 files checked: 0 missing, 0 corrupt; orphaned blobs: 0.',
        ),
    );
  });
});
