import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Clock, isoTime } from '../kernel/clock.ts';
import { chunksIn } from '../kernel/content.ts';
import type { Database } from '../kernel/database/database.ts';
import { codeOf } from '../kernel/errors/code-of.ts';
import type { Hold, Holds } from '../kernel/leases/holds.ts';
import type { Blobs } from '../storage/blobs/port.ts';
import { BLOBS_HELD } from '../storage/upkeep/sweeper.ts';
import { syncDirectory, writeHashed } from './files.ts';
import {
  BLOB_LIST,
  type BlobEntry,
  blobPath,
  FORMAT,
  LEFT_OUT,
  MANIFEST,
  MANIFEST_SUM,
  type Manifest,
  tablePath,
} from './format.ts';
import { inParallel } from './in-parallel.ts';
import { type Reference, referencesOf } from './references.ts';
import { rowToLine } from './row-lines.ts';

interface BackupDeps {
  database: Database;
  blobs: Blobs;
  holds: Holds;
  clock: Clock;
  version: string;
  /** Returns the content of the key file, with every key of the tables just written; null = leave it out. */
  key(): string | null;
  /** Ends the backup early; what it has written is removed. */
  stop: AbortSignal;
}

export interface Counts {
  /** Number of blobs. */
  files: number;
  bytes: number;
}

/**
 * Writes a backup of everything to `directory`, which must not exist yet. The server may run. The backup has a
 * temporary name next to `directory` until it is complete; after a failure, nothing remains.
 * @throws Error with a sentence for the operator
 */
export async function backUp(directory: string, deps: BackupDeps): Promise<Counts> {
  const target = resolve(directory);
  const unfinished = join(dirname(target), `.${basename(target)}.unfinished-${process.pid}`);
  try {
    refuseExisting(target);
    mkdirSync(join(unfinished, 'tables'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(error as NodeJS.ErrnoException, target);
  }
  let hold: Hold | undefined;
  try {
    hold = await deps.holds.take(BLOBS_HELD);
    const { tables, migrations, needed } = await writeTables(unfinished, deps);
    // Before the blobs, which may take hours: a rotation meanwhile removes the keys of the tables.
    const keys = deps.key();
    const key = keys === null ? null : (await writeText(join(unfinished, 'secret.key'), keys)).sha256;
    const blobs = await writeBlobs(unfinished, needed, deps, hold.assertHeld);
    await writeManifest(unfinished, {
      format: FORMAT,
      version: deps.version,
      dateCreated: isoTime(deps.clock.now()),
      migrations,
      tables,
      blobs,
      key,
    });
    syncDirectory(unfinished);
    refuseExisting(target);
    renameSync(unfinished, target);
    syncDirectory(dirname(target));
    return { files: blobs.count, bytes: blobs.bytes };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await hold?.release();
  }
}

/** Returns an error with a sentence for one of the file system; any other error as it is. */
export function unusable(error: NodeJS.ErrnoException, target: string): Error {
  if (error.code === 'EBUSY') return new Error(`${target} is a mount point; choose a new directory in it`);
  if (error.code === 'ENOTDIR') return new Error(`${error.path ?? target} is not a directory`);
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code ?? ''))
    return new Error(`${target} cannot be created: ${dirname(target)} is not writable by this user`);
  return error;
}

/** Removes an empty directory. @throws Error when `target` exists otherwise */
function refuseExisting(target: string): void {
  let entries: string[];
  try {
    entries = readdirSync(target);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (entries.length > 0) throw new Error(`${target} already exists; choose a new directory`);
  rmdirSync(target);
}

async function writeTables(directory: string, { database, stop }: Pick<BackupDeps, 'database' | 'stop'>) {
  return await database.snapshot(async (snapshot) => {
    const needed = new Map<string, Reference>();
    const tables: Manifest['tables'] = [];
    for (const name of snapshot.tables) {
      if (LEFT_OUT.includes(name)) continue;
      let rows = 0;
      const { sha256 } = await writeHashed(join(directory, tablePath(name)), async (write) => {
        for await (const row of snapshot.rows(name)) {
          stop.throwIfAborted();
          await write(`${rowToLine(row)}\n`);
          rows++;
          for (const reference of referencesOf(name, row)) needed.set(reference.key, reference);
        }
      });
      tables.push({ name, rows, sha256 });
    }
    const migrations: string[] = [];
    for await (const { name } of snapshot.rows('migrations')) migrations.push(String(name));
    return { tables, migrations: migrations.sort(), needed };
  });
}

async function writeBlobs(
  directory: string,
  needed: ReadonlyMap<string, Reference>,
  { blobs, stop }: Pick<BackupDeps, 'blobs' | 'stop'>,
  assertHeld: () => void,
): Promise<Manifest['blobs']> {
  const totals = { count: 0, bytes: 0 };
  const { sha256 } = await writeHashed(join(directory, BLOB_LIST), async (write) => {
    await inParallel(needed.values(), async (reference) => {
      assertHeld();
      const entry = await writeBlob(directory, reference, blobs, stop);
      await write(`${JSON.stringify(entry)}\n`);
      totals.count++;
      totals.bytes += entry.size;
    });
  });
  return { ...totals, sha256 };
}

async function writeBlob(
  directory: string,
  { key, size, sha256 }: Reference,
  blobs: Blobs,
  stop: AbortSignal,
): Promise<BlobEntry> {
  const damaged = (state: string) =>
    new Error(`the blob ${key} ${state}; run posthouse check to list damaged files`);
  const facts = await blobs.stat(key);
  if (facts === null) throw damaged('is missing');
  if (size !== null && facts.size !== size) throw damaged(`has ${facts.size} bytes instead of ${size}`);
  const path = join(directory, blobPath(key));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const body = await blobs.read(key, facts.size);
  const written = await writeHashed(path, async (write) => {
    for await (const chunk of chunksIn(body)) {
      stop.throwIfAborted();
      await write(chunk);
    }
  });
  if (written.size !== facts.size) throw damaged(`ended after ${written.size} bytes`);
  if (sha256 !== null && written.sha256 !== sha256) throw damaged('does not match the checksum of its file');
  return { key, ...written };
}

async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const { sha256 } = await writeText(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeText(join(directory, MANIFEST_SUM), `${sha256}  ${MANIFEST}\n`);
}

async function writeText(path: string, text: string) {
  return await writeHashed(path, (write) => write(text));
}
