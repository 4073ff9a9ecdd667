import { beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { addFileRow, addWorkspace } from '../../../test/harness/storage-rows.ts';
import { MINUTE } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createLog } from '../../kernel/log.ts';
import type { Notice } from '../../kernel/mailer.ts';
import { createLinkNotices } from './notices.ts';

const PEOPLE = [
  { id: 'ann', email: 'ann@example.org', name: 'Ann', mailLanguage: null, disabled: false },
  { id: 'bob', email: 'bob@example.org', name: 'Bob', mailLanguage: null, disabled: true },
  { id: 'eve', email: 'eve@example.org', name: 'Eve', mailLanguage: null, disabled: false },
];

describe.each(DATABASES)('notices about files of visitors on %s', (kind) => {
  let database: Database;
  let sent: Notice[];
  let notify: () => Promise<void>;
  beforeEach(async () => {
    database = await freshDatabase(kind);
    sent = [];
    notify = createLinkNotices({
      database,
      log: createLog('silent'),
      accounts: {
        byEmail: async () => null,
        byIds: async (ids) => PEOPLE.filter(({ id }) => ids.includes(id)),
      },
      mailer: {
        send: async (mail) => {
          sent.push(mail);
          return { id: 'm', status: 'sent', reason: null };
        },
      },
      publicUrl: 'https://files.example.org',
    });
    await addWorkspace(database, { id: 'w' });
    const members = ['ann', 'bob'].map((account_id) => ({
      workspace_id: 'w',
      account_id,
      role: 'editor' as const,
    }));
    const folder = { id: 'f', workspace_id: 'w', name: 'Inbox', name_key: 'inbox', date_created: 0 };
    await database.transaction(async (trx) => {
      await trx.insertInto('memberships').values(members).execute();
      await trx.insertInto('folders').values(folder).execute();
    });
  });

  const addLink = (id: string, by: string, noticeAt: number | null, uploads = 3) =>
    database.transaction((trx) =>
      trx
        .insertInto('links')
        .values({
          id,
          workspace_id: 'w',
          token: id,
          folder_id: 'f',
          access: 'upload',
          title: null,
          message: null,
          password_hash: null,
          expires_at: null,
          max_downloads: null,
          max_bytes: null,
          max_files: null,
          created_by: by,
          date_created: 0,
          upload_count: uploads,
          notice_at: noticeAt,
        })
        .execute(),
    );
  const stateOf = (id: string) =>
    database.read
      .selectFrom('links')
      .select(['notice_at', 'noticed_uploads'])
      .where('id', '=', id)
      .executeTakeFirst();

  test('are sent once, when they are due', async () => {
    await addLink('due', 'ann', 1);
    await addLink('later', 'ann', Date.now() + 10 * MINUTE);
    await addLink('nothing', 'ann', null);
    await notify();
    await notify();
    expect(sent).toMatchObject([
      {
        to: 'ann@example.org',
        data: { count: 3, link: 'Inbox', more: 3, url: 'https://files.example.org/files/f' },
      },
    ]);
    expect(await stateOf('due')).toEqual({ notice_at: null, noticed_uploads: 3 });
    expect((await stateOf('later'))?.noticed_uploads).toBe(0);
  });

  test('name files without characters that reorder text', async () => {
    const now = Date.now();
    await addFileRow(database, {
      id: 'deceptive',
      workspace_id: 'w',
      folder_id: 'f',
      original_name: 'invoice\u202egpj.exe',
      sender: 'E\u202eve',
      date_created: now,
    });
    await addLink('due', 'ann', now - MINUTE);
    await notify();
    expect(sent[0]?.data.files).toEqual([{ name: 'invoice\ufffdgpj.exe', sender: 'E\ufffdve' }]);
  });

  test('have one key when two nodes send them', async () => {
    await addLink('due', 'ann', 1);
    await Promise.all([notify(), notify()]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await stateOf('due')).toEqual({ notice_at: null, noticed_uploads: 3 });
  });

  test('are not sent to people who are disabled or no longer members', async () => {
    await addLink('disabled', 'bob', 1);
    await addLink('removed', 'eve', 1);
    await notify();
    expect(sent).toEqual([]);
    expect([(await stateOf('disabled'))?.notice_at, (await stateOf('removed'))?.notice_at]).toEqual([
      null,
      null,
    ]);
  });
});
