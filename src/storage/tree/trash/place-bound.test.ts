import { expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../../test/harness/database.ts';
import { folderDeps } from '../../../../test/harness/folder-deps.ts';
import { fillFiles } from '../../../../test/harness/many-rows.ts';
import { nameKey } from '../../../text/name-key.ts';
import { createFolders } from '../folders/folders.ts';
import { memberOf } from '../member.ts';
import { boundPlace, MAX_NAMES_BYTES } from './place-bound.ts';
import { createTrash } from './trash.ts';

const LEVELS = 290;
const NAME = '"'.repeat(255);

test('a place keeps its lowest folders up to the maximum length', () => {
  const folder = { id: 'a', name: 'ä' };
  expect(boundPlace([folder])).toEqual([folder]);
  const fitting = MAX_NAMES_BYTES / 4;
  const folders = Array.from({ length: fitting + 5 }, (_, index) => ({ ...folder, id: String(index % 10) }));
  expect(boundPlace(folders.slice(5))).toEqual(folders.slice(5));
  expect(boundPlace(folders)).toEqual(folders.slice(5));
});

test.each(DATABASES)('a deletion below long names stores few bytes and can be undone on %s', async (kind) => {
  const database = await freshDatabase(kind);
  const { workspaceId } = await fillFiles(database, 1);
  const rows = Array.from({ length: LEVELS }, (_, level) => ({
    id: `level-${level}`,
    workspace_id: workspaceId,
    parent_id: level === 0 ? 'rest' : `level-${level - 1}`,
    name: NAME,
    name_key: nameKey(NAME),
    date_created: 0,
  }));
  await database.transaction((trx) => trx.insertInto('folders').values(rows).execute());
  const deps = folderDeps(database, 100);
  const [folders, trash] = [createFolders(deps), createTrash(deps)];
  const member = memberOf('owner', 'manager');
  const deepest = `level-${LEVELS - 1}`;
  await trash.removeFolder((reader) => folders.find(reader, member, deepest), {
    isRecursive: true,
    deletedBy: 'owner',
  });
  const { place } = await database.read.selectFrom('trash_trees').select('place').executeTakeFirstOrThrow();
  const names = (JSON.parse(place) as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(Array.from({ length: Math.floor(MAX_NAMES_BYTES / 512) }, () => NAME));
  await trash.restore(member, deepest, 'fail');
  expect((await folders.find(database.read, member, deepest)).parentId).toBe(`level-${LEVELS - 2}`);
});
