import { describe, expect, test } from 'bun:test';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { BACKENDS, type Backend, freshBucket, freshDirectory } from '../../test/harness/backends.ts';
import { freshDatabase, freshPlace, openAt } from '../../test/harness/database.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database/database.ts';
import { NotEmpty } from '../kernel/database/load.ts';
import { createHolds } from '../kernel/holds.ts';
import { newId, newToken } from '../kernel/ids.ts';
import { migrations } from '../schema.ts';
import { openLocalBlobs } from '../storage/blobs/local.ts';
import type { Blobs } from '../storage/blobs/port.ts';
import { openS3Blobs } from '../storage/blobs/s3.ts';
import { BLOBS_HELD } from '../storage/sweeper.ts';
import { backUp } from './backup.ts';
import { DamagedBackup, openBackup, restore } from './restore.ts';

const KEY = `${Buffer.alloc(32, 7).toString('base64url')}\n`;

const databaseKind = (backend: Backend) => (backend === 'sqlite+local' ? 'sqlite' : 'postgres');
const freshBlobs = async (backend: Backend): Promise<Blobs> =>
  backend === 'sqlite+local'
    ? openLocalBlobs(join(freshDirectory(), 'blobs'))
    : openS3Blobs({ ...(await freshBucket()), region: 'us-east-1' });

interface House {
  database: Database;
  blobs: Blobs;
}

async function put(blobs: Blobs, bytes: Uint8Array): Promise<string> {
  const key = newId();
  const writer = blobs.create(key);
  await writer.write(bytes);
  await writer.commit();
  return key;
}

async function addFile(
  { database, blobs }: House,
  workspace: { id: string; root: string },
  name: string,
  bytes: Uint8Array,
  thumbnail: Uint8Array | null,
) {
  const [blobKey, thumbnailKey] = [await put(blobs, bytes), thumbnail && (await put(blobs, thumbnail))];
  await database.transaction((trx) =>
    trx
      .insertInto('files')
      .values({
        id: newId(),
        workspace_id: workspace.id,
        folder_id: workspace.root,
        original_name: name,
        name_key: name.toLowerCase(),
        size_bytes: bytes.length,
        mime_type: 'application/octet-stream',
        visibility: 1,
        blob_key: blobKey,
        sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('base64'),
        crc32: Bun.hash.crc32(bytes),
        direct_token: newToken(),
        ui_token: newToken(),
        password_hash: null,
        access_key: null,
        expires_at: null,
        max_downloads: null,
        download_count: 2 ** 31 - 1,
        thumbnail_state: thumbnail ? 'made' : 'none',
        thumbnail_key: thumbnailKey,
        thumbnail_attempts: 0,
        thumbnail_lease_until: null,
        date_created: 1_800_000_000_000,
        date_modified: 1_800_000_000_000,
        deleted_at: null,
      })
      .execute(),
  );
  return blobKey;
}

/** A house with rows that refer to each other, a file without a byte, a large one, and a blob that nobody needs. */
async function fill(backend: Backend): Promise<House> {
  const house = { database: await freshDatabase(databaseKind(backend)), blobs: await freshBlobs(backend) };
  const workspace = { id: newId(), root: newId() };
  await house.database.transaction(async (trx) => {
    await trx
      .insertInto('workspaces')
      .values({ id: workspace.id, name: 'Mine', root_folder_id: workspace.root, max_bytes: 2 ** 50, used_bytes: 3, date_created: 1 })
      .execute();
    await trx
      .insertInto('folders')
      .values({ id: workspace.root, workspace_id: workspace.id, parent_id: null, name: '', name_key: '', date_created: 1 })
      .execute();
    for (let i = 0; i < 250; i++) {
      const name = `Ordner ${i} "ü" 🏤 \\ \u2028 '; --`;
      await trx
        .insertInto('folders')
        .values({ id: newId(), workspace_id: workspace.id, parent_id: workspace.root, name, name_key: name, date_created: i })
        .execute();
    }
    await trx.insertInto('facts').values({ name: 'server_key', value: 'the mark' }).execute();
  });
  await addFile(house, workspace, 'empty.txt', new Uint8Array(), null);
  await addFile(house, workspace, 'large.bin', crypto.getRandomValues(new Uint8Array(65_536)).slice(0, 60_000), Buffer.from('thumbnail'));
  await addFile(house, workspace, 'long.bin', Buffer.alloc(3_000_001, 'x'), null);
  await put(house.blobs, Buffer.from('needed by nobody'));
  return house;
}

const parts = (house: House) => ({
  ...house,
  holds: createHolds({ database: house.database, clock: systemClock }),
  clock: systemClock,
  version: '1.2.3',
  key: KEY,
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
    all[key] = new Bun.CryptoHasher('sha256').update(await new Response(await blobs.read(key, size)).bytes()).digest('hex');
  return all;
}

const emptyHouse = async (backend: Backend): Promise<House> => ({
  database: openAt(await freshPlace(databaseKind(backend))),
  blobs: await freshBlobs(backend),
});
const bringBack = async (directory: string, house: House) =>
  await restore(directory, (await openBackup(directory)).manifest, { ...house, migrations });

describe.each(BACKENDS.flatMap((from) => BACKENDS.map((to) => [from, to] as const)))('a backup of %s', (from, to) => {
  test(`is the same house again on ${to}`, async () => {
    const source = await fill(from);
    const directory = join(freshDirectory(), 'backup');
    const counts = await backUp(directory, parts(source));
    expect(counts).toEqual({ files: 4, bytes: 60_000 + 9 + 3_000_001 });
    const target = await emptyHouse(to);
    expect(await bringBack(directory, target)).toEqual(counts);
    expect(await allRows(target.database)).toEqual(await allRows(source.database));
    const [before, after] = [await allBlobs(source.blobs), await allBlobs(target.blobs)];
    expect(Object.keys(after)).toHaveLength(4);
    expect(before).toMatchObject(after);
    // Foreign keys hold again.
    await expect(target.database.transaction((trx) => sql`update files set workspace_id = 'nothing'`.execute(trx))).rejects.toThrow();
  });
});

describe('a backup', () => {
  const made = async () => {
    const house = await fill('sqlite+local');
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, parts(house));
    return { house, directory };
  };

  test('is for its owner’s eyes only', async () => {
    const { directory } = await made();
    for (const path of ['', 'manifest.json', 'secret.key', 'tables', 'tables/files.jsonl', 'blobs'])
      expect(statSync(join(directory, path)).mode & 0o077).toBe(0);
    expect(readFileSync(join(directory, 'secret.key'), 'utf8')).toBe(KEY);
  });

  test('can leave the key out', async () => {
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, { ...parts(await fill('sqlite+local')), key: null });
    expect(existsSync(join(directory, 'secret.key'))).toBe(false);
    expect((await openBackup(directory)).key).toBeNull();
  });

  test('does not go into a directory that has something in it, but into an empty one', async () => {
    const { house, directory } = await made();
    const before = readFileSync(join(directory, 'manifest.json'), 'utf8');
    await expect(backUp(directory, parts(house))).rejects.toThrow('is there already');
    expect(readFileSync(join(directory, 'manifest.json'), 'utf8')).toBe(before);
    await backUp(freshDirectory(), parts(house));
  });

  test('holds the blobs while it reads, and no longer', async () => {
    const house = await fill('sqlite+local');
    const holds = createHolds({ database: house.database, clock: systemClock });
    const seen: boolean[] = [];
    const read: Blobs['read'] = async (...what) => {
      seen.push(await holds.isHeld(house.database.read, BLOBS_HELD));
      return await house.blobs.read(...what);
    };
    await backUp(join(freshDirectory(), 'backup'), parts({ ...house, blobs: { ...house.blobs, read } }));
    expect(seen).toEqual([true, true, true, true]);
    expect(await holds.isHeld(house.database.read, BLOBS_HELD)).toBe(false);
  });

  test('has every blob that its rows need, however the house changes meanwhile', async () => {
    const house = await fill('sqlite+local');
    let changed = false;
    const stat: Blobs['stat'] = async (key) => {
      if (!changed) {
        changed = true;
        // Everything is deleted the moment the first blob is looked at; the sweeper would wait for the hold.
        await house.database.transaction((trx) => trx.deleteFrom('files').execute());
      }
      return await house.blobs.stat(key);
    };
    const directory = join(freshDirectory(), 'backup');
    expect((await backUp(directory, parts({ ...house, blobs: { ...house.blobs, stat } }))).files).toBe(4);
    const target = await emptyHouse('sqlite+local');
    await bringBack(directory, target);
    expect(await target.database.read.selectFrom('files').select('id').execute()).toHaveLength(3);
  });

  test.each([
    ['missing', async (house: House, key: string) => await house.blobs.delete(key)],
    ['cut', async (house: House, key: string) => await replaced(house, key, Buffer.from('short'))],
    ['changed', async (house: House, key: string) => await replaced(house, key, Buffer.from('0123456789'))],
  ])('leaves nothing when a blob is %s', async (_, damage) => {
    const house = await fill('sqlite+local');
    const { id, root_folder_id } = await house.database.read.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow();
    const key = await addFile(house, { id, root: root_folder_id }, 'x', Buffer.from('abcdefghij'), null);
    await damage(house, key);
    const parent = freshDirectory();
    await expect(backUp(join(parent, 'backup'), parts(house))).rejects.toThrow(key);
    expect(readdirSync(parent)).toEqual([]);
    expect(await createHolds({ database: house.database, clock: systemClock }).isHeld(house.database.read, BLOBS_HELD)).toBe(false);
  });
});

async function replaced({ blobs }: House, key: string, bytes: Uint8Array): Promise<void> {
  await blobs.delete(key);
  const writer = blobs.create(key);
  await writer.write(bytes);
  await writer.commit();
}

describe('restoring', () => {
  const made = async () => {
    const directory = join(freshDirectory(), 'backup');
    await backUp(directory, parts(await fill('sqlite+local')));
    const [blob] = [...new Bun.Glob('blobs/*/*').scanSync(directory)].filter((path) => statSync(join(directory, path)).size > 100);
    return { directory, blob: join(directory, blob ?? '') };
  };

  test.each(['sqlite+local', 'postgres+s3'] as const)('refuses a database that is not empty: %s', async (backend) => {
    const { directory } = await made();
    const target = await emptyHouse(backend);
    await bringBack(directory, target);
    const rows = await allRows(target.database);
    await expect(bringBack(directory, target)).rejects.toThrow(NotEmpty);
    expect(await allRows(target.database)).toEqual(rows);
  });

  test.each<[string, (made: { directory: string; blob: string }) => void]>([
    [
      'a changed manifest',
      ({ directory }) =>
        writeFileSync(join(directory, 'manifest.json'), readFileSync(join(directory, 'manifest.json'), 'utf8').replace('1.2.3', '1.2.4')),
    ],
    ['no manifest', ({ directory }) => rmSync(join(directory, 'manifest.json'))],
    ['a longer table', ({ directory }) => appendFileSync(join(directory, 'tables/facts.jsonl'), '{"name":"x","value":"y"}\n')],
    ['a missing table', ({ directory }) => rmSync(join(directory, 'tables/files.jsonl'))],
    ['a changed key', ({ directory }) => writeFileSync(join(directory, 'secret.key'), 'x')],
    ['a changed list of blobs', ({ directory }) => writeFileSync(join(directory, 'blobs.jsonl'), '')],
    ['a missing blob', ({ blob }) => rmSync(blob)],
    ['a longer blob', ({ blob }) => appendFileSync(blob, 'x')],
    ['a changed blob', ({ blob }) => writeFileSync(blob, readFileSync(blob).fill(1, 50, 51))],
    ['a cut blob', ({ blob }) => writeFileSync(blob, readFileSync(blob).subarray(1))],
  ])('refuses a backup with %s, and leaves nothing', async (_, damage) => {
    const backup = await made();
    damage(backup);
    const target = await emptyHouse('sqlite+local');
    await expect(bringBack(backup.directory, target)).rejects.toThrow(DamagedBackup);
    expect(await allBlobs(target.blobs)).toEqual({});
    const rows = Object.values(await allRows(target.database)).flat();
    expect(rows).toEqual([]);
  });

  test('refuses what another format or a newer program wrote', async () => {
    const { directory } = await made();
    const rewrite = (change: (manifest: Record<string, unknown>) => void) => {
      const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Record<string, unknown>;
      change(manifest);
      const text = JSON.stringify(manifest);
      writeFileSync(join(directory, 'manifest.json'), text);
      writeFileSync(join(directory, 'manifest.sha256'), `${new Bun.CryptoHasher('sha256').update(text).digest('hex')}  manifest.json\n`);
    };
    rewrite((manifest) => {
      manifest.migrations = [...(manifest.migrations as string[]), '9999_later'];
    });
    await expect(bringBack(directory, await emptyHouse('sqlite+local'))).rejects.toThrow('newer version');
    rewrite((manifest) => {
      manifest.format = 'posthouse backup 99';
    });
    await expect(openBackup(directory)).rejects.toThrow('another format');
  });

  test('brings an older schema up to date', async () => {
    const { directory } = await made();
    const target = await emptyHouse('sqlite+local');
    const later = {
      name: '9999_later',
      up: (schema: Database['schema']) => sql`update folders set name = 'changed later'`.execute(schema).then(() => {}),
    };
    await restore(directory, (await openBackup(directory)).manifest, { ...target, migrations: [...migrations, later] });
    const names = await target.database.read.selectFrom('folders').select('name').distinct().execute();
    expect(names).toEqual([{ name: 'changed later' }]);
  });

  test('works again after it was interrupted, and from another place', async () => {
    const { directory } = await made();
    const moved = join(freshDirectory(), 'elsewhere');
    renameSync(directory, moved);
    const target = await emptyHouse('sqlite+local');
    let writes = 0;
    const create: Blobs['create'] = (key) => {
      if (++writes === 4) throw new Error('pulled the plug');
      return target.blobs.create(key);
    };
    const failing = { ...target, blobs: { ...target.blobs, create, delete: async () => {} } };
    await expect(bringBack(moved, failing)).rejects.toThrow('pulled the plug');
    expect(Object.keys(await allBlobs(target.blobs)).length).toBe(3);
    expect((await bringBack(moved, target)).files).toBe(4);
    expect(Object.keys(await allBlobs(target.blobs)).length).toBe(4);
  });
});
