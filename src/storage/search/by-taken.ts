import type { Database, Reader } from '../../kernel/database/database.ts';
import type { GiveWay } from '../../kernel/event-loop/time-slices.ts';
import { filesIn, groupsOf, pagesOfFolders, readerForTree } from '../tree/folders/subtree.ts';
import { pageByTaken } from '../tree/listing.ts';
import { beginningOf, fileType } from './file-type.ts';
import { type SearchOptions, type SearchPage, whereMatching, withPaths } from './search.ts';
import { withinLength } from './within-length.ts';

interface SearchPlace {
  workspaceIds: readonly string[];
  /** Id of the member, who waits for the slow reads of others in turn. */
  caller: string;
}

/**
 * As `searchFiles`, most recently taken first (files without such a time, by their upload). No index has this order, so
 * each page reads all files of the workspaces, or of the folder. @throws Problem 400 for an invalid cursor
 */
export async function searchByTaken(
  database: Database,
  place: SearchPlace,
  options: SearchOptions,
  giveWay: GiveWay,
): Promise<SearchPage> {
  if (place.workspaceIds.length === 0) return { files: [], nextCursor: null };
  const { limit, cursor, type } = options;
  const page = await pageByTaken(queriesOf(database, place, options), {
    ...{ sort: 'taken', order: 'desc', limit },
    ...(cursor === undefined ? {} : { cursor }),
  });
  const wanted = type ? page.files.filter(({ mimeType }) => fileType(mimeType) === type) : page.files;
  const all = await withPaths(database.read, wanted, giveWay);
  const files = withinLength(all);
  if (files.length === all.length) return { files, nextCursor: page.nextCursor };
  const shown = page.files.findIndex(({ id }) => id === files.at(-1)?.id) + 1;
  return await searchByTaken(database, place, { ...options, limit: shown }, giveWay);
}

async function* queriesOf(
  database: Database,
  { workspaceIds, caller }: SearchPlace,
  { folderId, ...options }: SearchOptions,
) {
  const beginning = options.type ? beginningOf(options.type) : null;
  const matching = (files: ReturnType<typeof filesIn>) => {
    const rows = whereMatching(files.where('workspace_id', 'in', workspaceIds).selectAll(), options);
    return beginning === null ? rows : rows.where('mime_type', 'like', `${beginning}%`);
  };
  if (folderId === undefined) {
    yield matching(undeleted(await database.slow(caller)));
    return;
  }
  const [workspaceId = ''] = workspaceIds;
  const reader = await readerForTree(database, { id: folderId, workspaceId });
  for await (const folders of pagesOfFolders(reader, folderId))
    for (const group of groupsOf(folders)) yield matching(filesIn(reader, group));
}

const undeleted = (reader: Reader) => reader.selectFrom('files').where('deleted_at', 'is', null);
