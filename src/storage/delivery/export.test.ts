import { describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addFolderRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { createShortRequests } from '../../kernel/event-loop/short-requests.ts';
import { createExports } from './export.ts';

describe.each(DATABASES)('a ZIP file on %s', (kind) => {
  test('has a maximum number of files and folders, including empty folders', async () => {
    const database = await freshDatabase(kind);
    await addWorkspace(database, { id: 'w', root_folder_id: 'root' });
    await addFolderRow(database, { id: 'root', workspace_id: 'w', parent_id: null });
    for (const id of ['one', 'two', 'three'])
      await addFolderRow(database, { id, workspace_id: 'w', parent_id: 'root', name: id, name_key: id });
    for (const id of ['a', 'b']) await addFileRow(database, { id, workspace_id: 'w', folder_id: 'one' });
    const nothing = () => Promise.reject(new Error('no bytes are read'));
    const limited = (longest: number) =>
      createExports({
        ...{ database, blobs: { read: nothing }, hold: nothing },
        shortRequests: createShortRequests(),
        longest,
      });
    const export_ = (longest: number) => limited(longest).folder({ id: 'root', workspaceId: 'w' });
    expect(await export_(6)).toMatchObject({ count: 6 });
    await expect(export_(5)).rejects.toMatchObject({ code: 'folder_too_large' });
    // Its folders alone are too many.
    await expect(export_(3)).rejects.toMatchObject({ code: 'folder_too_large' });
    const files = await database.read.selectFrom('files').selectAll().execute();
    expect(await limited(2).files('w', files)).toMatchObject({ count: 2 });
    await expect(limited(1).files('w', files)).rejects.toMatchObject({ code: 'folder_too_large' });
  });
});
