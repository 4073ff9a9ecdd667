import { z } from '@hono/zod-openapi';
import { isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { nextLink } from '../../kernel/http/next-link.ts';
import type { NamesOf } from '../teams/names.ts';
import type { Files } from '../tree/files.ts';
import type { Folders } from '../tree/folders.ts';
import { listFiles } from '../tree/listing.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { folderId, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';
import { listItem, listItemSchema } from './records.ts';

interface ListingRoutesDeps {
  files: Files;
  workspaces: Workspaces;
  database: Database;
  members: Members;
  folders: Folders;
  namesOf: NamesOf;
}

const listQuery = workspaceQuery.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(2000).optional().openapi({ description: 'From the `Link` of the previous page' }),
  sort: z.enum(['name', 'size', 'date', 'type']).default('name'),
  order: z.enum(['asc', 'desc']).default('asc'),
  search: z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional()
    .openapi({ description: 'Part of the name, without regard to case' }),
});

const LONGEST_TRASH = 1000;

/** The files of a folder, page by page, and the deleted files. */
export function mountListing(
  app: App,
  { database, members, files, folders, workspaces, namesOf }: ListingRoutesDeps,
): void {
  const shared = { method: 'get', tags: ['files'] } as const;
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}',
    operation: 'listFiles',
    summary: 'List the files of a folder',
    auth: members.viewer,
    params: { id: folderId },
    query: listQuery,
    answers: {
      200: {
        description: 'A page of files. `Link: <…>; rel="next"` (RFC 8288) leads to the next page.',
        schema: z.array(listItemSchema),
      },
    },
    async handler({ c, caller, params: { id }, query }) {
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      const page = await listFiles(database, folder, query);
      if (page.nextCursor !== null) c.header('Link', nextLink(c, 'cursor', page.nextCursor));
      const names = await namesOf(page.files);
      return page.files.map((file) => listItem(file, names));
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/trash',
    operation: 'listTrash',
    summary: 'List deleted files, most recent first',
    auth: members.editor,
    query: workspaceQuery,
    answers: {
      200: {
        description: `At most ${LONGEST_TRASH} files.`,
        schema: z.array(listItemSchema.extend({ dateDeleted: z.iso.datetime() })),
      },
    },
    async handler({ caller, query }) {
      const workspace = await workspaces.find(database.read, caller, query.workspaceId ?? null);
      const deleted = await files.trash(workspace, LONGEST_TRASH);
      return deleted.map((file) => ({ ...listItem(file), dateDeleted: isoTime(file.deletedAt ?? 0) }));
    },
  });
}
