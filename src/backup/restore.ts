import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunksIn } from '../kernel/content.ts';
import type { Database } from '../kernel/database/database.ts';
import { load, refuseRows, type TableRows } from '../kernel/database/load.ts';
import { type Migration, migrate, readApplied } from '../kernel/database/migrate.ts';
import { codeOf } from '../kernel/errors/code-of.ts';
import type { Blobs } from '../storage/blobs/port.ts';
import type { Counts } from './backup.ts';
import { fileSha256, readChunks, readLines } from './files.ts';
import {
  BLOB_LIST,
  type BlobEntry,
  blobPath,
  blobSchema,
  LEFT_OUT,
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  manifestSchema,
  tablePath,
} from './format.ts';
import { inParallel } from './in-parallel.ts';
import { lineToRow } from './row-lines.ts';

/** The backup does not match its manifest. */
export class DamagedBackup extends Error {
  override readonly name = 'DamagedBackup';
}

export interface OpenedBackup {
  manifest: Manifest;
  /** Content of the key file; null = left out. */
  key: string | null;
  /** The table `facts`, by name. */
  facts: ReadonlyMap<string, string>;
}

/**
 * Reads a backup's manifest and verifies the checksums of all files but the blobs, which are verified while they
 * are restored.
 * @throws DamagedBackup
 */
export async function openBackup(directory: string): Promise<OpenedBackup> {
  const read = (name: string): string => {
    try {
      return readFileSync(join(directory, name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && !existsSync(directory))
        throw new DamagedBackup(`there is no directory ${directory}`);
      throw asUnreadable(error as NodeJS.ErrnoException, name);
    }
  };
  const [sum] = read(MANIFEST_SUM).split(' ');
  const text = read(MANIFEST);
  if (sum !== new Bun.CryptoHasher('sha256').update(text).digest('hex'))
    throw new DamagedBackup('the manifest of the backup is damaged');
  const parsed = manifestSchema.safeParse(JSON.parse(text));
  if (!parsed.success)
    throw new DamagedBackup('this version of Posthouse does not support the format of this backup');
  const manifest = parsed.data;
  for (const { name, sha256 } of manifest.tables) await compare(directory, tablePath(name), sha256);
  await compare(directory, BLOB_LIST, manifest.blobs.sha256);
  if (manifest.key !== null) await compare(directory, 'secret.key', manifest.key);
  return {
    manifest,
    key: manifest.key === null ? null : read('secret.key'),
    facts: await readFacts(directory, manifest),
  };
}

async function readFacts(directory: string, manifest: Manifest): Promise<Map<string, string>> {
  const facts = new Map<string, string>();
  if (!manifest.tables.some(({ name }) => name === 'facts')) return facts;
  for await (const line of readLines(join(directory, tablePath('facts')))) {
    const { name, value } = lineToRow(line);
    facts.set(String(name), String(value));
  }
  return facts;
}

async function compare(directory: string, name: string, sha256: string): Promise<void> {
  const found = await fileSha256(join(directory, name)).catch((error) => {
    throw asUnreadable(error as NodeJS.ErrnoException, name);
  });
  if (found !== sha256) throw new DamagedBackup(`${name} of the backup is damaged`);
}

/** Returns an error with a sentence for a file of a backup that is missing or cannot be read. */
export function asUnreadable({ code }: NodeJS.ErrnoException, name: string): DamagedBackup {
  if (code === 'ENOENT') return new DamagedBackup(`${name} is missing; the backup may be incomplete`);
  const remedy = code === 'EACCES' || code === 'EPERM' ? '; give this user read access to the backup' : '';
  return new DamagedBackup(`${name} of the backup cannot be read (${code})${remedy}`);
}

/** The key file of the restored database. */
export interface RestoredKey {
  /** Creates it, if the server needs one. @throws CommandError when the server has another key */
  place(): void;
  /** Removes it after a failure. */
  remove(): void;
  /** Keeps it for the restored rows. */
  keep(): void;
}

interface RestoreDeps {
  database: Database;
  blobs: Blobs;
  migrations: readonly Migration[];
  key: RestoredKey;
}

/**
 * Restores a backup into an empty database and a blob store: first the blobs, then all rows in one transaction, so
 * that it becomes visible as a whole. After a failure, the copied blobs and the key file are deleted.
 * @throws DamagedBackup, NotEmpty
 */
export async function restore(
  directory: string,
  manifest: Manifest,
  { database, blobs, migrations, key }: RestoreDeps,
): Promise<Counts> {
  refuseNewer(manifest, migrations);
  await refuseLaterTables(database, manifest);
  // The rows fit the schema of their time; later migrations run afterwards, as in any database.
  await migrate(
    database,
    migrations.filter(({ name }) => manifest.migrations.includes(name)),
  );
  // Checked before any blob is copied, and again with the rows.
  await refuseRows(database.schema, LEFT_OUT);
  const copied: string[] = [];
  try {
    // Not before: the rows of a restore that was killed after its commit need its key.
    key.place();
    await restoreBlobs(directory, blobs, copied);
    await load(database, tableRows(directory, manifest), LEFT_OUT);
  } catch (error) {
    key.remove();
    for (const key of copied) await blobs.delete(key).catch(() => {});
    throw error;
  }
  await migrate(database, migrations);
  await database.durable();
  key.keep();
  return { files: manifest.blobs.count, bytes: manifest.blobs.bytes };
}

function refuseNewer(manifest: Manifest, migrations: readonly Migration[]): void {
  const unknown = manifest.migrations.filter(
    (name) => !migrations.some((migration) => migration.name === name),
  );
  if (unknown.length > 0)
    throw new Error(
      `this backup was written by a newer version of Posthouse (${manifest.version}); run that version or a later one`,
    );
}

/**
 * Rejects a database whose tables were created for a later backup: the migrations that this one lacks would not change
 * its rows.
 */
async function refuseLaterTables({ schema }: Database, manifest: Manifest): Promise<void> {
  const later = (await readApplied(schema)).filter((name) => !manifest.migrations.includes(name));
  if (later.length > 0)
    throw new Error(
      `the database has the tables of a later version than this backup (${later.join(', ')}); set a new data ` +
        'directory or database',
    );
}

async function* tableRows(directory: string, manifest: Manifest): AsyncIterable<TableRows> {
  for (const { name, rows } of manifest.tables) {
    yield {
      table: name,
      rows: (async function* () {
        let read = 0;
        for await (const line of readLines(join(directory, tablePath(name)))) {
          yield lineToRow(line);
          read++;
        }
        if (read !== rows) throw new DamagedBackup(`${tablePath(name)} has ${read} rows instead of ${rows}`);
      })(),
    };
  }
}

async function restoreBlobs(directory: string, blobs: Blobs, copied: string[]): Promise<void> {
  await inParallel(readLines(join(directory, BLOB_LIST)), async (line) => {
    const entry = blobSchema.parse(JSON.parse(line));
    const found = await blobs.stat(entry.key);
    // Present when an earlier restore was killed, or the store was in use.
    if (found?.size === entry.size && (await isSound(blobs, entry))) return;
    await restoreBlob(directory, entry, blobs);
    if (!found) copied.push(entry.key);
  });
}

async function isSound(blobs: Blobs, { key, size, sha256 }: BlobEntry): Promise<boolean> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of chunksIn(await blobs.read(key, size))) hash.update(chunk);
  return hash.digest('hex') === sha256;
}

async function restoreBlob(directory: string, { key, size, sha256 }: BlobEntry, blobs: Blobs): Promise<void> {
  const writer = blobs.create(key);
  try {
    const hash = new Bun.CryptoHasher('sha256');
    let read = 0;
    for await (const chunk of chunksOf(directory, blobPath(key))) {
      hash.update(chunk);
      read += chunk.length;
      await writer.write(chunk);
    }
    if (read !== size || hash.digest('hex') !== sha256)
      throw new DamagedBackup(`${blobPath(key)} of the backup is damaged`);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function* chunksOf(directory: string, name: string): AsyncIterable<Uint8Array> {
  try {
    yield* readChunks(join(directory, name));
  } catch (error) {
    throw asUnreadable(error as NodeJS.ErrnoException, name);
  }
}
