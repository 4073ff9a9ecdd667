import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { whenReady } from '../../kernel/event-loop/when-ready.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import { fromRow, type StoredFile } from '../tree/files/file.ts';
import { isRooted } from '../tree/folders/above.ts';
import { cacheReads } from './cached-reads.ts';
import type { Gate, PresentedSecrets } from './gate.ts';
import type { Protected } from './protected.ts';

/** Identifies a file in a public request. */
export type FileReference = { by: 'directToken' | 'uiToken' | 'id'; value: string };

/** A file that the visitor may read. */
export interface Opened {
  file: StoredFile;
  /** True = a key, password or pass was required; shared caches must not store the response. */
  secretUsed: boolean;
}

/** Maximum number of cached rows for each kind of link. */
const FILES_KEPT = 1_000;

export interface Access {
  /**
   * Returns the file if the visitor may read it. Every public route to bytes, thumbnails or metadata of a shared file
   * must call it. Costs one read when no secret is required.
   * @throws Problem 404 `not_found`, 410 `link_expired`; those of `Gate.check`
   */
  open(link: FileReference, presented: PresentedSecrets): Promise<Opened> | Opened;
  /** Returns the file, without checking its secrets. @throws Problem 404, 410 */
  find(link: FileReference): Promise<StoredFile> | StoredFile;
  /** Returns a pass to an opened file, valid for `PASS_MS` and until its secrets change. */
  passFor(file: StoredFile): string;
}

interface AccessDeps {
  database: Database;
  clock: Clock;
  gate: Gate;
}

export function createAccess({ database, clock, gate }: AccessDeps): Access {
  const findLive = createFinder(database);

  const find = (link: FileReference) =>
    whenReady(findLive(link), (file) => {
      if (!file) throw notFound();
      // Private files, and access by id, require a key: a file without a key cannot be reached that way.
      if (file.accessKey === null && (file.visibility === 0 || link.by === 'id')) throw notFound();
      if (file.expiresAt !== null && file.expiresAt <= clock.now())
        throw new Problem('link_expired', 'The link to this file has expired.');
      return file;
    });

  return {
    find,
    open: (link, presented) =>
      whenReady(find(link), (file) =>
        whenReady(gate.check(protectedFile(file), presented), (secretUsed) => ({ file, secretUsed })),
      ),
    passFor: (file) => gate.passFor(protectedFile(file)),
  };
}

function protectedFile({ id, accessKey, passwordHash }: StoredFile): Protected {
  return { kind: 'file', id, accessKey, passwordHash };
}

function createFinder(database: Database) {
  const finderBy = (column: Parameters<typeof prepareLookup>[1]) => {
    const lookUp = prepareLookup(database, column);
    return cacheReads(database, FILES_KEPT, async (value) => {
      const [row] = await lookUp(database.read, { value });
      if (!row) return null;
      // The file may be moving to the trash with a folder above it.
      if (row.moving_tree_id !== null && !(await isRooted(database.read, row.folder_id))) return null;
      return fromRow(row);
    });
  };
  const finders = {
    directToken: finderBy('direct_token'),
    uiToken: finderBy('ui_token'),
    id: finderBy('id'),
  } satisfies Record<FileReference['by'], unknown>;
  // No id or token contains other characters, and PostgreSQL cannot hold some of them.
  return ({ by, value }: FileReference) => (/^[\w-]+$/.test(value) ? finders[by](value) : null);
}

function prepareLookup(database: Database, column: 'direct_token' | 'ui_token' | 'id') {
  return database.prepare(
    (reader: Reader, { value }: { value: string }) =>
      reader
        .selectFrom('files')
        .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
        .selectAll('files')
        .select('workspaces.moving_tree_id')
        .where(`files.${column}`, '=', value)
        .where('files.deleted_at', 'is', null)
        .where('workspaces.date_deleted', 'is', null),
    { isLookup: true },
  );
}
