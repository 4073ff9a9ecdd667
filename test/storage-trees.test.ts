import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { shapeConfig } from '../src/config/config.ts';
import { newId, newToken } from '../src/kernel/ids.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openAt } from './harness/database.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const { workspaceBytes } = shapeConfig({}).config.limits;

const FILES = 5_000;
const FOLDERS = 100;

describe.each(BACKENDS)('large trees on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ann = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, ann.headers);
  });
  afterAll(() => posthouse.stop());

  /** Copies the row of an uploaded file many times, in chains of folders, since uploads would take too long. */
  async function plant(): Promise<string> {
    const top = await files.newFolder('top');
    const { id } = await files.upload('x', { folder: top });
    const database = openAt(
      settings.POSTHOUSE_DATABASE_URL ?? join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'),
    );
    await database.transaction(async (trx) => {
      const [file, parent] = [
        await trx.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        await trx.selectFrom('folders').selectAll().where('id', '=', top).executeTakeFirstOrThrow(),
      ];
      const folders = Array.from({ length: FOLDERS }, (_, index) => ({
        ...parent,
        id: newId(),
        name: `f${index}`,
        name_key: `f${index}`,
      }));
      // In two chains, of folders inside each other.
      for (const [index, folder] of folders.entries()) folder.parent_id = folders[index - 2]?.id ?? top;
      await trx.insertInto('folders').values(folders).execute();
      for (const folder of folders) {
        const rows = Array.from({ length: FILES / FOLDERS }, () => ({
          ...file,
          id: newId(),
          folder_id: folder.id,
          direct_token: newToken(),
          ui_token: newToken(),
        }));
        await trx.insertInto('files').values(rows).execute();
      }
      await trx
        .updateTable('workspaces')
        .set((set) => ({ used_bytes: set('used_bytes', '+', FILES) }))
        .where('id', '=', file.workspace_id)
        .execute();
    });
    return top;
  }

  test('every account owns one workspace', async () => {
    const [workspace, ...more] = await files.read<Record<string, unknown>[]>('/api/storage/workspaces');
    expect(more).toEqual([]);
    expect(workspace).toMatchObject({ role: 'manager', usedBytes: 0, maxBytes: workspaceBytes });
    const { workspaceId, rootFolderId } = await files.read<Record<string, string>>('/api/me');
    expect(workspace).toMatchObject({ id: workspaceId, rootFolderId });
    expect(await files.read<object>(`/api/storage/usage?workspaceId=${workspace?.id}`)).toEqual({
      usedBytes: 0,
      maxBytes: workspaceBytes,
    });
  });

  test('a tree of 5,000 files is moved and counted at once, deleted, and restored', async () => {
    const top = await plant();
    const target = await files.newFolder('target');
    const place = { parentFolderId: target };
    expect((await jsonOf(posthouse, ann)('PATCH', `/api/storage/folders/${top}`, place)).status).toBe(200);
    const usage = { folderId: target, usedBytes: FILES + 1, fileCount: FILES + 1, folderCount: FOLDERS + 1 };
    expect(await files.read<object>(`/api/storage/usage/folder/${target}`)).toEqual(usage);
    // The folder is gone at once, its files follow in batches; the sum is right at every moment.
    const removing = files.removeFolder(target);
    let removed: Response | undefined;
    void removing.then((answer) => {
      removed = answer;
    });
    for (let last = FILES + 1; !removed; ) {
      const usedBytes = await files.usedBytes();
      expect(usedBytes).toBeLessThanOrEqual(last);
      last = usedBytes;
    }
    expect(removed.status).toBe(204);
    expect(await files.read<object>('/api/storage/usage')).toMatchObject({ usedBytes: 0 });
    expect((await files.get(`/api/storage/folders/${top}`)).status).toBe(404);
    const trash = await files.read<{ id: string }[]>('/api/storage/trash');
    expect(trash).toMatchObject([{ id: target, kind: 'folder', fileCount: FILES + 1, sizeBytes: FILES + 1 }]);
    expect((await files.post(`/api/storage/trash/${target}/restore`)).status).toBe(200);
    expect(await files.read<object>(`/api/storage/usage/folder/${target}`)).toEqual(usage);
    expect(await files.read<object>('/api/storage/usage')).toMatchObject({ usedBytes: FILES + 1 });
  });
});
