import type { Database, Reader } from '../../kernel/database/database.ts';
import { type FoundLink, foundLink, selectLinks } from './link.ts';

/** A link of any workspace, for operators. */
export interface AnyLink extends FoundLink {
  workspaceName: string;
}

/**
 * Returns the newest links of one workspace or of all. Null = there is no such workspace.
 * @param workspace name or id; null = all
 */
export async function newestLinks(
  { read }: Database,
  workspace: string | null,
  limit: number,
): Promise<AnyLink[] | null> {
  let query = selectLinks(read)
    .select('workspaces.name as workspace_name')
    .orderBy('links.id', 'desc')
    .limit(limit);
  if (workspace !== null) {
    const ids = await idsOfWorkspaces(read, workspace);
    if (ids.length === 0) return null;
    query = query.where('workspaces.id', 'in', ids);
  }
  return (await query.execute()).map((row) => ({ ...foundLink(row), workspaceName: row.workspace_name }));
}

/** Names of shared workspaces are not unique. */
async function idsOfWorkspaces(reader: Reader, nameOrId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('workspaces')
    .select('id')
    .where((where) => where.or([where('name', '=', nameOrId), where('id', '=', nameOrId.toLowerCase())]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the link with an id or a token; null = there is none. */
export async function linkWith(
  reader: Reader,
  by: { id: string } | { token: string },
): Promise<FoundLink | null> {
  const links = selectLinks(reader);
  const found = 'id' in by ? links.where('links.id', '=', by.id) : links.where('links.token', '=', by.token);
  const row = await found.executeTakeFirst();
  return row ? foundLink(row) : null;
}
