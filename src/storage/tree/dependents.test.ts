import { describe, expect, test } from 'bun:test';
import { DATABASES, emptyDatabase } from '../../../test/harness/database.ts';
import { folderDeps } from '../../../test/harness/folder-deps.ts';
import { addFileRow, addTeam } from '../../../test/harness/storage-rows.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { newId } from '../../kernel/ids.ts';
import { createLinks } from '../links/links.ts';
import { memberOf } from './member.ts';
import { createTrash } from './trash/trash.ts';

const OWNER = 'ada';
const member = memberOf(OWNER, 'manager');
const ROWS = 2_500;

describe.each(DATABASES)('rows that refer to others on %s', (kind) => {
  async function open() {
    const stored = await emptyDatabase(kind);
    let transactions = 0;
    const transaction: Database['transaction'] = (work) => {
      transactions++;
      return stored.transaction(work);
    };
    const database = Object.create(stored, { transaction: { value: transaction } }) as Database;
    const { id, rootFolderId } = await addTeam(stored, OWNER);
    return {
      database: stored,
      trash: createTrash(folderDeps(database, 1_000)),
      links: createLinks({ database, clock: systemClock, secretsChanged: async () => {}, changed() {} }),
      workspaceId: id,
      folderId: rootFolderId,
      transactions: () => transactions,
    };
  }

  const linksTo = (workspace_id: string, count: number) =>
    Array.from({ length: count }, () => {
      const id = newId();
      return { id, token: id, workspace_id, access: 'view' as const, date_created: 0 };
    });
  const isEmpty = async (database: Database, table: 'files' | 'link_files' | 'link_grants' | 'links') =>
    (await database.read.selectFrom(table).selectAll().limit(1).execute()).length === 0;

  test('are deleted in batches before an erased file', async () => {
    const { database, trash, workspaceId, folderId, transactions } = await open();
    const row = { workspace_id: workspaceId, folder_id: folderId, size_bytes: 0 };
    const file = await addFileRow(database, { ...row, deleted_at: Date.now(), place: '[]' });
    const links = linksTo(workspaceId, ROWS);
    await database.transaction(async (trx) => {
      await trx.insertInto('links').values(links).execute();
      await trx
        .insertInto('link_files')
        .values(links.map(({ id }) => ({ link_id: id, file_id: file })))
        .execute();
    });
    await trash.erase(member, file);
    expect([await isEmpty(database, 'files'), await isEmpty(database, 'link_files')]).toEqual([true, true]);
    expect(transactions()).toBe(3);
  });

  test('are deleted in batches before a link', async () => {
    const { database, links, workspaceId } = await open();
    const [link] = linksTo(workspaceId, 1);
    if (!link) throw new Error('there is no link');
    const grants = Array.from({ length: ROWS }, () => ({
      link_id: link.id,
      visitor: newId(),
      expires_at: 0,
    }));
    await database.transaction(async (trx) => {
      await trx.insertInto('links').values(link).execute();
      await trx.insertInto('link_grants').values(grants).execute();
    });
    const remove = () =>
      database.transaction(async (trx) => links.remove(trx, await links.find(trx, member, link.id)));
    expect([await remove(), await remove(), await remove()]).toEqual([true, true, false]);
    expect([await isEmpty(database, 'links'), await isEmpty(database, 'link_grants')]).toEqual([true, true]);
  });

  test('a link is not moved to a workspace with too many', async () => {
    const { database, links, workspaceId, folderId } = await open();
    const full = await addTeam(database, OWNER);
    const all = linksTo(full.id, 10_000);
    await database.transaction(async (trx) => {
      for (let at = 0; at < all.length; at += 1_000)
        await trx
          .insertInto('links')
          .values(all.slice(at, at + 1_000))
          .execute();
    });
    const settings = { access: 'view', by: OWNER } as const;
    const targetIn = (workspaceId: string, folderId: string) => ({ workspaceId, folderId, fileIds: [] });
    const changed = database.transaction(async (trx) => {
      const id = await links.create(trx, { ...settings, target: targetIn(workspaceId, folderId) });
      const link = await links.find(trx, member, id);
      await links.change(trx, link, { target: targetIn(full.id, full.rootFolderId) });
    });
    await expect(changed).rejects.toMatchObject({ code: 'limit_reached' });
  });
});
