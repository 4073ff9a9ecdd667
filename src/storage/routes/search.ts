import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { invalidField, notFound } from '../../kernel/problem.ts';
import { timeField } from '../../kernel/shared-fields.ts';
import { searchByTaken } from '../search/by-taken.ts';
import { FILE_TYPES } from '../search/file-type.ts';
import { searchFolders } from '../search/folders.ts';
import { searchFiles } from '../search/search.ts';
import type { Member } from '../tree/member.ts';
import type { RoutesDeps } from './deps.ts';
import { folderIdField, workspaceQuery } from './fields.ts';
import { folderRecord, folderSchema, listItem, listItemSchema } from './records.ts';

/** A date begins at midnight in UTC. */
const time = z
  .union([timeField, z.iso.date()], {
    error: 'must be a date, or an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z',
  })
  .transform((text) => Date.parse(text))
  .optional();

const partOfName = z
  .string()
  .trim()
  .max(255)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
  .default('')
  .openapi({
    description:
      'Part of the name, ignoring case; one or two characters match its beginning, except in scripts ' +
      'such as Chinese',
  });
const allWorkspaces = workspaceQuery.shape.workspaceId.openapi({
  description: 'All workspaces of the caller if omitted',
});

const searchQuery = z.object({
  query: partOfName,
  workspaceId: allWorkspaces,
  folderId: folderIdField
    .optional()
    .openapi({ description: 'Only files in this folder and all folders below; a GUID, or `root`' }),
  type: z.enum(FILE_TYPES).optional(),
  after: time.openapi({ type: 'string', format: 'date-time', description: 'Uploaded at this time or later' }),
  before: time.openapi({ type: 'string', format: 'date-time', description: 'Uploaded before this time' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  sort: z.enum(['date', 'taken']).default('date').openapi({
    description:
      '`date`: last uploaded first; `taken`: most recently taken first; files without such a time are sorted by upload',
  }),
  cursor: z.string().max(200).optional().openapi({ description: 'From the `Link` of the previous page' }),
});

const path = { path: z.string().openapi({ description: 'Folders above it: `a / b`' }) };

/** Files and folders by their names, in all folders. */
export function mountSearch(app: App, deps: RoutesDeps): void {
  mountFileSearch(app, deps);
  mountFolderSearch(app, deps);
}

function mountFileSearch(app: App, deps: RoutesDeps): void {
  const { database, members, namesOf, giveWay } = deps;
  endpoint(app, {
    method: 'get',
    path: '/api/storage/search',
    operation: 'searchFiles',
    summary: 'Find files by their names in all folders',
    tags: ['files'],
    auth: members.viewer,
    query: searchQuery,
    giveWay,
    responses: {
      200: {
        description:
          '`Link: <…>; rel="next"` (RFC 8288) links to the next page. A page may have fewer ' +
          'files than `limit`, even none, and still have a next page.',
        schema: z.array(listItemSchema.extend(path)),
      },
    },
    problems: ['not_found'],
    async handler({ c, caller, query: { workspaceId, folderId, sort, ...options } }) {
      if (sort === 'date' && !isIdCursor(options.cursor))
        throw invalidField('cursor', 'must come from the Link of the previous page');
      const { workspaceIds, ...place } = await scopeOf(deps, caller, { workspaceId, folderId });
      const wanted = { ...options, ...place };
      const page =
        sort === 'date'
          ? await searchFiles(database, workspaceIds, wanted, { giveWay })
          : await searchByTaken(database, { workspaceIds, caller: caller.id }, wanted, giveWay);
      addNextLink(c, page.nextCursor);
      const names = await namesOf(page.files);
      return page.files.map((file) => ({ ...listItem(file, names), path: file.path.join(' / ') }));
    },
  });
}

function mountFolderSearch(app: App, deps: RoutesDeps): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/search/folders',
    operation: 'searchFolders',
    summary: 'Find folders by their names',
    tags: ['folders'],
    auth: deps.members.viewer,
    query: z.object({
      query: partOfName,
      workspaceId: allWorkspaces,
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    giveWay: deps.giveWay,
    responses: {
      200: { description: 'Shortest names first.', schema: z.array(folderSchema.extend(path)) },
    },
    problems: ['not_found'],
    async handler({ caller, query: { workspaceId, ...options } }) {
      const { workspaceIds } = await scopeOf(deps, caller, { workspaceId });
      const { database, giveWay } = deps;
      const found = await searchFolders(database, workspaceIds, { ...options, caller: caller.id, giveWay });
      return found.map((folder) => ({ ...folderRecord(folder), path: folder.path.join(' / ') }));
    },
  });
}

/** Reports whether a cursor is an id, or the position after one. */
const isIdCursor = (cursor = '') => cursor === '' || /^[0-9a-f-]{36}0?$/.test(cursor);

interface SearchScope {
  workspaceIds: string[];
  folderId?: string;
}

/** Returns the workspaces and the folder to search. @throws Problem 404 */
async function scopeOf(
  { database, workspaces, folders }: RoutesDeps,
  caller: Member,
  { workspaceId, folderId }: { workspaceId?: string; folderId?: string },
): Promise<SearchScope> {
  if (folderId !== undefined) {
    const folder = await folders.find(database.read, caller, folderId, workspaceId);
    if (workspaceId !== undefined && folder.workspaceId !== workspaceId) throw notFound();
    const isRoot = folder.parentId === null;
    return { workspaceIds: [folder.workspaceId], ...(isRoot ? {} : { folderId: folder.id }) };
  }
  if (workspaceId !== undefined)
    return { workspaceIds: [(await workspaces.find(database.read, caller, workspaceId)).id] };
  const all = await workspaces.list(caller);
  return { workspaceIds: all.filter(({ dateErased }) => dateErased === null).map(({ id }) => id) };
}
