import { beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { DATABASES, freshDatabase } from '../../../../test/harness/database.ts';
import { addPersonal, addTeam } from '../../../../test/harness/storage-rows.ts';
import { until } from '../../../../test/harness/until.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { createVault } from '../../../kernel/crypto/vault.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Folder } from '../folders/folder.ts';
import { memberOf } from '../member.ts';
import { createTree, type Tree } from '../tree.ts';
import type { StoredFile } from './file.ts';

const QUOTA = 1_000;
const OWNER = 'owner';
const member = memberOf(OWNER, 'manager');

describe.each(DATABASES)('versions of files that move to another workspace on %s', (kind) => {
  let database: Database;
  let tree: Tree;
  let home: Folder;
  let team: Folder;

  beforeEach(async () => {
    database = await freshDatabase(kind);
    const limits = { workspaceBytes: QUOTA, trashDays: 7, versionDays: 30 };
    const vault = createVault(Buffer.alloc(32, 1));
    const unused = { hasRenditions: () => false, erasing() {}, secretsChanged: async () => {}, changed() {} };
    tree = createTree({ ...unused, database, clock: systemClock, vault, owner: '', limits });
    await addPersonal(database, OWNER);
    const { rootFolderId } = await addTeam(database, OWNER);
    home = await tree.folders.find(database.read, member, 'root');
    team = await tree.folders.find(database.read, member, rootFolderId);
  });

  const content = (sizeBytes: number) => {
    return { blobKey: newId(), sizeBytes, mimeType: 'text/plain', sha256: '', crc32: 0 };
  };
  /** Adds a file of one byte with a version of `bytes`. */
  async function addFile(folder: Folder, bytes: number): Promise<StoredFile> {
    const settings = { visibility: 0, passwordHash: null, withAccessKey: false, onConflict: 'keep' } as const;
    const by = { reservationId: null, by: OWNER };
    const file = { ...settings, ...by, folder, originalName: 'name', content: content(bytes) };
    return await database.transaction(async (trx) =>
      tree.files.replace(trx, await tree.files.add(trx, file), { ...by, content: content(1) }),
    );
  }
  const move = (file: StoredFile) =>
    database.transaction(async (trx) => {
      const found = await tree.files.find(trx, member, file.id);
      return await tree.files.place(trx, found, { folder: team, onConflict: 'keep', by: OWNER });
    });
  /** Returns the bytes of the versions of both workspaces, and compares them with the rows. */
  async function versionBytes(): Promise<number[]> {
    return await Promise.all(
      [home, team].map(async ({ workspaceId }) => {
        const { version_bytes } = await database.read
          .selectFrom('workspaces')
          .select('version_bytes')
          .where('id', '=', workspaceId)
          .executeTakeFirstOrThrow();
        const { bytes } = await database.read
          .selectFrom('file_versions')
          .select((of) => of.fn.sum<number | null>('size_bytes').as('bytes'))
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirstOrThrow();
        expect(bytes ?? 0).toBe(version_bytes);
        return version_bytes;
      }),
    );
  }
  const versionsOf = async ({ id }: StoredFile) =>
    await database.read.selectFrom('file_versions').select('id').where('file_id', '=', id).execute();

  test('fit into its quota: the oldest are erased', async () => {
    const first = await move(await addFile(home, 400));
    const second = await move(await addFile(home, 400));
    expect(await versionBytes()).toEqual([0, 800]);
    const third = await move(await addFile(home, 900));
    expect(await versionBytes()).toEqual([0, 900]);
    const left = await Promise.all([first, second, third].map(versionsOf));
    expect(left.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  test('fit into its quota after a move of their folder', async () => {
    for (const name of ['one', 'two']) {
      const folder = await database.transaction((trx) => tree.folders.create(trx, home, name, OWNER));
      await addFile(folder, 400);
      await addFile(folder, 300);
      await tree.folders.moveAcross(folder, { parent: team, onConflict: 'fail', by: OWNER });
    }
    expect(await versionBytes()).toEqual([0, 1_000]);
  });

  // SQLite runs one transaction at a time.
  test.if(kind === 'postgres')('are not erased by a request that waits for the move', async () => {
    const file = await addFile(home, 900);
    const [version = { id: '' }] = await versionsOf(file);
    let erasure: Promise<unknown> | undefined;
    await database.transaction(async (trx) => {
      const found = await tree.files.find(trx, member, file.id);
      await tree.files.place(trx, found, { folder: team, onConflict: 'keep', by: OWNER });
      erasure = database
        .transaction(async (other) =>
          tree.files.eraseVersion(other, await tree.files.find(other, member, file.id), version.id),
        )
        .catch(({ code }) => code);
      await until(async () => {
        const { rows } = await sql`select 1 from pg_locks where not granted`.execute(database.read);
        return rows.length > 0;
      });
    });
    expect(await erasure).toBe('not_found');
    expect(await versionBytes()).toEqual([0, 900]);
  });
});
