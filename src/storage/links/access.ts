import type { Selectable } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Reader } from '../../kernel/database/database.ts';
import { notFound, Problem } from '../../kernel/problem.ts';
import type { Gate, PresentedSecrets } from '../delivery/gate.ts';
import type { Protected } from '../delivery/protected.ts';
import { isRooted } from '../tree/folders/above.ts';
import { linkFromRow, type StoredLink } from './link.ts';
import type { LinksTable } from './tables.ts';

/** A link whose folder, if it has one, is not deleted. */
export interface LiveLink extends StoredLink {
  /** Name of its folder; null = chosen files. */
  folderName: string | null;
  /** Whether a folder of its workspace is being moved to the trash or back. */
  hasMovingTree: boolean;
}

/** Access of visitors to links, as `Access` for files. */
export interface LinkAccess {
  /**
   * Returns the link if the visitor may use it. Every public route through a link must call it.
   * @throws Problem 404 `not_found`, 410 `link_expired`; those of `Gate.check`
   */
  open(token: string, presented: PresentedSecrets): Promise<{ link: LiveLink; secretUsed: boolean }>;
  /** Returns the link, without checking its password. @throws Problem 404, 410 */
  find(token: string): Promise<LiveLink>;
  /** Returns a pass to an opened link, valid for `PASS_MS` and until its password changes. */
  passFor(link: StoredLink): string;
}

interface LinkAccessDeps {
  database: Database;
  clock: Clock;
  gate: Gate;
}

export function createLinkAccess({ database, clock, gate }: LinkAccessDeps): LinkAccess {
  const lookUp = prepareLookup(database);

  async function find(token: string): Promise<LiveLink> {
    // No token contains other characters, and PostgreSQL cannot hold some of them.
    if (!/^[\w-]+$/.test(token)) throw notFound();
    const [row] = await lookUp(database.read, { token });
    if (!row || !(await isReachable(database.read, row))) throw notFound();
    if (row.expires_at !== null && row.expires_at <= clock.now())
      throw new Problem('link_expired', 'This link has expired.');
    return { ...linkFromRow(row), folderName: row.folder_name, hasMovingTree: row.moving_tree_id !== null };
  }

  return {
    find,
    async open(token, presented) {
      const link = await find(token);
      return { link, secretUsed: await gate.check(protectedLink(link), presented) };
    },
    passFor: (link) => gate.passFor(protectedLink(link)),
  };
}

function protectedLink({ id, passwordHash }: StoredLink): Protected {
  return { kind: 'link', id, accessKey: null, passwordHash };
}

/** Reports whether neither the folder of a link nor a folder above it is deleted. */
async function isReachable(
  reader: Reader,
  row: Selectable<LinksTable> & { folder_name: string | null; moving_tree_id: string | null },
): Promise<boolean> {
  if (row.folder_id === null) return true;
  if (row.folder_name === null) return false;
  // Folders below a deleted one follow it to the trash later.
  return row.moving_tree_id === null || (await isRooted(reader, row.folder_id));
}

function prepareLookup(database: Database) {
  return database.prepare(
    (reader: Reader, { token }: { token: string }) =>
      reader
        .selectFrom('links')
        .leftJoin('folders', (join) =>
          join.onRef('folders.id', '=', 'links.folder_id').on('folders.deleted_at', 'is', null),
        )
        // While a folder moves to another workspace, its row changes before that of its link.
        .innerJoin('workspaces', (join) =>
          join.on((on) =>
            on('workspaces.id', '=', on.fn.coalesce('folders.workspace_id', 'links.workspace_id')),
          ),
        )
        .selectAll('links')
        .select(['folders.name as folder_name', 'workspaces.moving_tree_id'])
        .where('links.token', '=', token)
        .where('workspaces.date_deleted', 'is', null),
    { isLookup: true },
  );
}
