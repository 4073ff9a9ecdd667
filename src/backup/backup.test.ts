import { describe, expect, spyOn, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { BACKENDS, type Backend, freshBucket, freshDirectory } from '../../test/harness/backends.ts';
import { freshDatabase, freshLocation, openAt } from '../../test/harness/database.ts';
import { addBlob, addFileRow } from '../../test/harness/storage-rows.ts';
import { migrations } from '../foundation/schema.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { NotEmpty } from '../kernel/database/load.ts';
import { migrate } from '../kernel/database/migrate.ts';
import { newId } from '../kernel/ids.ts';
import { createHolds } from '../kernel/leases/holds.ts';
import { openLocalBlobs } from '../storage/blobs/local.ts';
import type { Blobs } from '../storage/blobs/port.ts';
import { openS3Blobs } from '../storage/blobs/s3.ts';
import { BLOBS_HELD } from '../storage/upkeep/sweeper.ts';
import { backUp, unusable } from './backup.ts';
import { asUnreadable, DamagedBackup, openBackup, restore } from './restore.ts';

const KEY = `${Buffer.alloc(32, 7).toString('base64url')}\n`;

const databaseKind = (backend: Backend) => (backend === 'sqlite+local' ? 'sqlite' : 'postgres');
const freshBlobs = async (backend: Backend): Promise<Blobs> =>
  backend === 'sqlite+local'
    ? openLocalBlobs(join(freshDirectory(), 'blobs'))
    : openS3Blobs({ ...(await freshBucket()), region: 'us-east-1' });

interface Instance {
  database: Database;
  blobs: Blobs;
}

/** Sizes of files that are read in pieces, several of them at the same time. */
const LONG = [140_000, 300_000, 600_000, 1_100_000, 3_000_001];

async function addFile(
  { database, blobs }: Instance,
  workspace: { id: string; root: string },
  name: string,
  bytes: Uint8Array,
  thumbnail: Uint8Array | null,
) {
  const [blobKey, thumbnailKey] = [
    await addBlob(blobs, bytes),
    thumbnail && (await addBlob(blobs, thumbnail)),
  ];
  await addFileRow(database, {
    workspace_id: workspace.id,
    folder_id: workspace.root,
    original_name: name,
    name_key: name.toLowerCase(),
    size_bytes: bytes.length,
    visibility: 1,
    blob_key: blobKey,
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('base64'),
    crc32: Bun.hash.crc32(bytes),
    download_count: 2 ** 31 - 1,
    thumbnail_state: thumbnail ? 'made' : 'none',
    thumbnail_key: thumbnailKey,
    date_created: 1_800_000_000_000,
    date_modified: 1_800_000_000_000,
  });
  return blobKey;
}

/** Creates an instance with rows that reference each other, an empty file, a large one, and an unreferenced blob. */
async function fill(backend: Backend): Promise<Instance> {
  const instance = { database: await freshDatabase(databaseKind(backend)), blobs: await freshBlobs(backend) };
  const workspace = { id: newId(), root: newId() };
  await instance.database.transaction(async (trx) => {
    await trx
      .insertInto('workspaces')
      .values({
        id: workspace.id,
        name: 'Mine',
        root_folder_id: workspace.root,
        max_bytes: 2 ** 50,
        used_bytes: 3,
        date_created: 1,
      })
      .execute();
    await trx
      .insertInto('folders')
      .values({
        id: workspace.root,
        workspace_id: workspace.id,
        parent_id: null,
        name: '',
        name_key: '',
        date_created: 1,
      })
      .execute();
    for (let i = 0; i < 250; i++) {
      const name = `Ordner ${i} "ü" 🏤 \\ \u2028 '; --`;
      await trx
        .insertInto('folders')
        .values({
          id: newId(),
          workspace_id: workspace.id,
          parent_id: workspace.root,
          name,
          name_key: name,
          date_created: i,
        })
        .execute();
    }
    await trx.insertInto('facts').values({ name: 'server_key', value: 'the mark' }).execute();
  });
  await addFile(instance, workspace, 'empty.txt', new Uint8Array(), null);
  await addFile(instance, workspace, 'large.bin', randomBytes(60_000), Buffer.from('thumbnail'));
  for (const [number, length] of LONG.entries()) {
    await addFile(instance, workspace, `long-${number}.bin`, randomBytes(length), null);
  }
  await addBlob(instance.blobs, Buffer.from('needed by no row'));
  return instance;
}

const backupDeps = (instance: Instance) => ({
  ...instance,
  holds: createHolds({ database: instance.database, clock: systemClock }),
  clock: systemClock,
  version: '1.2.3',
  key: () => KEY,
  stop: new AbortController().signal,
});

async function allRows(database: Database): Promise<Record<string, unknown[]>> {
  return await database.snapshot(async (snapshot) => {
    const all: Record<string, unknown[]> = {};
    for (const table of snapshot.tables) {
      if (table.startsWith('migrations')) continue;
      const rows: string[] = [];
      for await (const row of snapshot.rows(table)) rows.push(JSON.stringify(Object.entries(row).sort()));
      all[table] = rows.sort();
    }
    return all;
  });
}

async function allBlobs(blobs: Blobs): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for await (const { key, size } of blobs.list())
    all[key] = new Bun.CryptoHasher('sha256')
      .update(await new Response(await blobs.read(key, size)).bytes())
      .digest('hex');
  return all;
}

const emptyInstance = async (backend: Backend): Promise<Instance> => ({
  database: openAt(await freshLocation(databaseKind(backend))),
  blobs: await freshBlobs(backend),
});
const NO_KEY = { place() {}, remove() {}, keep() {} };
const restoreInto = async (directory: string, instance: Instance) =>
  await restore(directory, (await openBackup(directory)).manifest, { ...instance, migrations, key: NO_KEY });

describe.each(BACKENDS.flatMap((from) => BACKENDS.map((to) => [from, to] as const)))(
  'a backup of %s',
  (from, to) => {
    test(`restores the same data on ${to}`, async () => {
      const source = await fill(from);
      const directory = join(freshDirectory(), 'backup');
      const counts = await backUp(directory, backupDeps(source));
      expect(counts).toEqual({ files: 8, bytes: 60_000 + 9 + LONG.reduce((sum, length) => sum + length) });
      const target = await emptyInstance(to);
      const durable = spyOn(target.database, 'durable');
      expect(await restoreInto(directory, target)).toEqual(counts);
      expect(durable).toHaveBeenCalled();
      expect(await allRows(target.database)).toEqual(await allRows(source.database));
      const [before, after] = [await allBlobs(source.blobs), await allBlobs(target.blobs)];
      expect(Object.keys(after)).toHaveLength(8);
      expect(before).toMatchObject(after);
      // Foreign keys are enforced again.
      await expect(
        target.database.transaction((trx) => sql`update files set workspace_id = 'nothing'`.execute(trx)),
      ).rejects.toThrow();
    });
  },
);

describe('a backup', () => {
  const made = async () => {
    const instance = await fill('sqlite+local');
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, backupDeps(instance));
    return { instance, directory };
  };

  test('is readable by its owner only', async () => {
    const { directory } = await made();
    for (const path of ['', 'manifest.json', 'secret.key', 'tables', 'tables/files.jsonl', 'blobs'])
      expect(statSync(join(directory, path)).mode & 0o077).toBe(0);
    expect(readFileSync(join(directory, 'secret.key'), 'utf8')).toBe(KEY);
  });

  test('can omit the key', async () => {
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, { ...backupDeps(await fill('sqlite+local')), key: () => null });
    expect(existsSync(join(directory, 'secret.key'))).toBe(false);
    expect((await openBackup(directory)).key).toBeNull();
  });

  test('has the keys of its tables, not those after the last file', async () => {
    const instance = await fill('sqlite+local');
    let keys = KEY;
    const stat: Blobs['stat'] = async (key) => {
      keys = 'rotated';
      return await instance.blobs.stat(key);
    };
    const directory = join(freshDirectory(), 'backup');
    const deps = backupDeps({ ...instance, blobs: { ...instance.blobs, stat } });
    await backUp(directory, { ...deps, key: () => keys });
    expect(readFileSync(join(directory, 'secret.key'), 'utf8')).toBe(KEY);
  });

  test('leaves nothing when it is stopped', async () => {
    const instance = await fill('sqlite+local');
    const controller = new AbortController();
    const read: Blobs['read'] = async (...what) => {
      controller.abort(new Error('stopped'));
      return await instance.blobs.read(...what);
    };
    const parent = freshDirectory();
    const deps = backupDeps({ ...instance, blobs: { ...instance.blobs, read } });
    await expect(backUp(join(parent, 'backup'), { ...deps, stop: controller.signal })).rejects.toThrow(
      'stopped',
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  test('ends at the first blob that cannot be read', async () => {
    const instance = await fill('sqlite+local');
    let reads = 0;
    const stat: Blobs['stat'] = async (key) => {
      if (++reads === 1) throw new Error('unreadable');
      return await instance.blobs.stat(key);
    };
    const deps = backupDeps({ ...instance, blobs: { ...instance.blobs, stat } });
    await expect(backUp(join(freshDirectory(), 'backup'), deps)).rejects.toThrow('unreadable');
    expect(reads).toBeLessThan(8);
  });

  test('leaves nothing when it cannot hold the blobs', async () => {
    const parent = freshDirectory();
    const deps = backupDeps(await fill('sqlite+local'));
    const take = () => Promise.reject(new Error('the database is away'));
    const backup = backUp(join(parent, 'backup'), { ...deps, holds: { ...deps.holds, take } });
    await expect(backup).rejects.toThrow('the database is away');
    expect(readdirSync(parent)).toEqual([]);
  });

  test('is written to an empty directory, not to one with content', async () => {
    const { instance, directory } = await made();
    const before = readFileSync(join(directory, 'manifest.json'), 'utf8');
    await expect(backUp(directory, backupDeps(instance))).rejects.toThrow('already exists');
    expect(readFileSync(join(directory, 'manifest.json'), 'utf8')).toBe(before);
    await backUp(freshDirectory(), backupDeps(instance));
  });

  test('holds the blobs only while it reads them', async () => {
    const instance = await fill('sqlite+local');
    const holds = createHolds({ database: instance.database, clock: systemClock });
    const seen: boolean[] = [];
    const read: Blobs['read'] = async (...what) => {
      seen.push(await holds.isHeld(instance.database.read, BLOBS_HELD));
      return await instance.blobs.read(...what);
    };
    await backUp(
      join(freshDirectory(), 'backup'),
      backupDeps({ ...instance, blobs: { ...instance.blobs, read } }),
    );
    expect(seen).toEqual(Array(8).fill(true));
    expect(await holds.isHeld(instance.database.read, BLOBS_HELD)).toBe(false);
  });

  test('has every blob of its rows when files are deleted in the meantime', async () => {
    const instance = await fill('sqlite+local');
    let changed = false;
    const stat: Blobs['stat'] = async (key) => {
      if (!changed) {
        changed = true;
        // All files are deleted as soon as the first blob is read; the sweeper would wait for the hold.
        await instance.database.transaction((trx) => trx.deleteFrom('files').execute());
      }
      return await instance.blobs.stat(key);
    };
    const directory = join(freshDirectory(), 'backup');
    expect(
      (await backUp(directory, backupDeps({ ...instance, blobs: { ...instance.blobs, stat } }))).files,
    ).toBe(8);
    const target = await emptyInstance('sqlite+local');
    await restoreInto(directory, target);
    expect(await target.database.read.selectFrom('files').select('id').execute()).toHaveLength(7);
  });

  test.each([
    ['missing', async (instance: Instance, key: string) => await instance.blobs.delete(key)],
    ['cut', async (instance: Instance, key: string) => await replaced(instance, key, Buffer.from('short'))],
    [
      'changed',
      async (instance: Instance, key: string) => await replaced(instance, key, Buffer.from('0123456789')),
    ],
  ])('leaves nothing behind when a blob is %s', async (_, damage) => {
    const instance = await fill('sqlite+local');
    const { id, root_folder_id } = await instance.database.read
      .selectFrom('workspaces')
      .selectAll()
      .executeTakeFirstOrThrow();
    const key = await addFile(instance, { id, root: root_folder_id }, 'x', Buffer.from('abcdefghij'), null);
    await damage(instance, key);
    const parent = freshDirectory();
    await expect(backUp(join(parent, 'backup'), backupDeps(instance))).rejects.toThrow(key);
    expect(readdirSync(parent)).toEqual([]);
    expect(
      await createHolds({ database: instance.database, clock: systemClock }).isHeld(
        instance.database.read,
        BLOBS_HELD,
      ),
    ).toBe(false);
  });
});

async function replaced({ blobs }: Instance, key: string, bytes: Uint8Array): Promise<void> {
  await blobs.delete(key);
  await addBlob(blobs, bytes, key);
}

describe('restoring', () => {
  const made = async () => {
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, backupDeps(await fill('sqlite+local')));
    const [blob] = [...new Bun.Glob('blobs/*/*').scanSync(directory)].filter(
      (path) => statSync(join(directory, path)).size > 100,
    );
    return { directory, blob: join(directory, blob ?? '') };
  };

  test('ends at the first blob that cannot be written', async () => {
    const { directory } = await made();
    const target = await emptyInstance('sqlite+local');
    let writes = 0;
    const create: Blobs['create'] = (key) => {
      if (++writes === 1) throw new Error('disk full');
      return target.blobs.create(key);
    };
    const restored = restoreInto(directory, { ...target, blobs: { ...target.blobs, create } });
    await expect(restored).rejects.toThrow('disk full');
    expect(writes).toBeLessThan(8);
  });

  test.each(['sqlite+local', 'postgres+s3'] as const)(
    'rejects a database that is not empty: %s',
    async (backend) => {
      const { directory } = await made();
      const target = await emptyInstance(backend);
      await restoreInto(directory, target);
      const rows = await allRows(target.database);
      await expect(restoreInto(directory, target)).rejects.toThrow(NotEmpty);
      expect(await allRows(target.database)).toEqual(rows);
    },
  );

  test.each<[string, (made: { directory: string; blob: string }) => void]>([
    [
      'a changed manifest',
      ({ directory }) =>
        writeFileSync(
          join(directory, 'manifest.json'),
          readFileSync(join(directory, 'manifest.json'), 'utf8').replace('1.2.3', '1.2.4'),
        ),
    ],
    ['no manifest', ({ directory }) => rmSync(join(directory, 'manifest.json'))],
    [
      'a longer table',
      ({ directory }) => appendFileSync(join(directory, 'tables/facts.jsonl'), '{"name":"x","value":"y"}\n'),
    ],
    ['a missing table', ({ directory }) => rmSync(join(directory, 'tables/files.jsonl'))],
    ['a changed key', ({ directory }) => writeFileSync(join(directory, 'secret.key'), 'x')],
    ['a changed list of blobs', ({ directory }) => writeFileSync(join(directory, 'blobs.jsonl'), '')],
    ['a missing blob', ({ blob }) => rmSync(blob)],
    [
      'a directory instead of a blob',
      ({ blob }) => {
        rmSync(blob);
        mkdirSync(blob);
      },
    ],
    ['a longer blob', ({ blob }) => appendFileSync(blob, 'x')],
    [
      'a changed blob',
      ({ blob }) =>
        writeFileSync(
          blob,
          readFileSync(blob).map((byte, at) => (at === 50 ? byte ^ 1 : byte)),
        ),
    ],
    ['a cut blob', ({ blob }) => writeFileSync(blob, readFileSync(blob).subarray(1))],
  ])('rejects a backup with %s, and leaves nothing behind', async (_, damage) => {
    const backup = await made();
    damage(backup);
    const target = await emptyInstance('sqlite+local');
    await expect(restoreInto(backup.directory, target)).rejects.toThrow(DamagedBackup);
    expect(await allBlobs(target.blobs)).toEqual({});
    const rows = Object.values(await allRows(target.database)).flat();
    expect(rows).toEqual([]);
  });

  test('rejects a backup of another format or a newer version', async () => {
    const { directory } = await made();
    const rewrite = (change: (manifest: Record<string, unknown>) => void) => {
      const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Record<
        string,
        unknown
      >;
      change(manifest);
      const text = JSON.stringify(manifest);
      writeFileSync(join(directory, 'manifest.json'), text);
      writeFileSync(
        join(directory, 'manifest.sha256'),
        `${new Bun.CryptoHasher('sha256').update(text).digest('hex')}  manifest.json\n`,
      );
    };
    rewrite((manifest) => {
      manifest.migrations = [...(manifest.migrations as string[]), '9999_later'];
    });
    await expect(restoreInto(directory, await emptyInstance('sqlite+local'))).rejects.toThrow(
      'newer version',
    );
    rewrite((manifest) => {
      manifest.format = 'posthouse backup 99';
    });
    await expect(openBackup(directory)).rejects.toThrow('does not support the format');
  });

  test('migrates an older schema', async () => {
    const { directory } = await made();
    const target = await emptyInstance('sqlite+local');
    const later = {
      name: '9999_later',
      kind: 'contract' as const,
      up: (schema: Database['schema']) =>
        sql`update folders set name = 'changed later'`.execute(schema).then(() => {}),
    };
    await restore(directory, (await openBackup(directory)).manifest, {
      ...target,
      migrations: [...migrations, later],
      key: NO_KEY,
    });
    const names = await target.database.read.selectFrom('folders').select('name').distinct().execute();
    expect(names).toEqual([{ name: 'changed later' }]);
  });

  test('rejects a database with tables of a later version than the backup', async () => {
    const { directory } = await made();
    const target = await emptyInstance('sqlite+local');
    const later = { name: '9999_later', kind: 'expand' as const, up: [] };
    await migrate(target.database, [...migrations, later]);
    const { manifest } = await openBackup(directory);
    const deps = { ...target, migrations: [...migrations, later], key: NO_KEY };
    await expect(restore(directory, manifest, deps)).rejects.toThrow('9999_later');
    expect(await allBlobs(target.blobs)).toEqual({});
  });

  test('succeeds after an interrupted attempt, also from a moved directory', async () => {
    const { directory } = await made();
    const moved = join(freshDirectory(), 'elsewhere');
    renameSync(directory, moved);
    const target = await emptyInstance('sqlite+local');
    let writes = 0;
    const create: Blobs['create'] = (key) => {
      if (++writes === 4) throw new Error('pulled the plug');
      return target.blobs.create(key);
    };
    const failing = { ...target, blobs: { ...target.blobs, create, delete: async () => {} } };
    await expect(restoreInto(moved, failing)).rejects.toThrow('pulled the plug');
    const copied = Object.keys(await allBlobs(target.blobs)).length;
    expect([copied > 0, copied < 8]).toEqual([true, true]);
    expect((await restoreInto(moved, target)).files).toBe(8);
    expect(Object.keys(await allBlobs(target.blobs)).length).toBe(8);
  });

  test('writes the blobs that a killed restore had begun to write', async () => {
    const { directory } = await made();
    const target = await emptyInstance('sqlite+local');
    for (const path of new Bun.Glob('blobs/*/*').scanSync(directory)) {
      const writer = target.blobs.create(basename(path));
      await writer.write(Buffer.alloc(1_000_000));
    }
    expect((await restoreInto(directory, target)).files).toBe(8);
  });

  test('replaces a blob that the store has with other bytes', async () => {
    const { directory, blob } = await made();
    const bytes = readFileSync(blob);
    const target = await emptyInstance('sqlite+local');
    await addBlob(target.blobs, new Uint8Array(bytes.length), basename(blob));
    await restoreInto(directory, target);
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    expect(await allBlobs(target.blobs)).toMatchObject({ [basename(blob)]: sha256 });
  });
});

test.each([
  ['EBUSY', '/mnt/backup is a mount point; choose a new directory in it'],
  ['EACCES', '/mnt/backup cannot be created: /mnt is not writable by this user'],
  ['EROFS', '/mnt/backup cannot be created: /mnt is not writable by this user'],
  ['ENOTDIR', '/mnt/backup is not a directory'],
])('%s of the directory is reported in a sentence', (code, sentence) => {
  expect(unusable(Object.assign(new Error(code), { code }), '/mnt/backup').message).toBe(sentence);
});

test.each([
  ['ENOENT', 'a.jsonl is missing; the backup may be incomplete'],
  ['EACCES', 'a.jsonl of the backup cannot be read (EACCES); give this user read access to the backup'],
  ['EIO', 'a.jsonl of the backup cannot be read (EIO)'],
])('%s of a file of a backup is reported in a sentence', (code, sentence) => {
  expect(asUnreadable(Object.assign(new Error(code), { code }), 'a.jsonl').message).toBe(sentence);
});

test('a directory of a backup that cannot be reached is not reported as missing', async () => {
  const parent = freshDirectory();
  await expect(openBackup(join(parent, 'none'))).rejects.toThrow('there is no directory');
  const loop = join(parent, 'loop');
  symlinkSync(loop, loop);
  await expect(openBackup(loop)).rejects.toThrow('cannot be read (ELOOP)');
});

test('a file is no directory for a backup', async () => {
  const path = join(freshDirectory(), 'file');
  writeFileSync(path, '');
  const refused = backUp(path, {} as Parameters<typeof backUp>[1]);
  await expect(refused).rejects.toThrow(`${path} is not a directory`);
});
