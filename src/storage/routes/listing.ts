import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { createListFiles, SORT_KEYS } from '../tree/listing.ts';
import type { RoutesDeps } from './deps.ts';
import { folderId, pageQuery, workspaceQuery } from './fields.ts';
import { listItem, listItemSchema } from './records.ts';

const listQuery = workspaceQuery.extend({
  ...pageQuery,
  sort: z
    .enum(SORT_KEYS)
    .default('name')
    .openapi({ description: '`taken`: when pictures were taken; for other files, when they were uploaded' }),
  order: z.enum(['asc', 'desc']).default('asc'),
  search: z
    .string()
    .max(255)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
    .optional()
    .openapi({ description: 'Part of the name, ignoring case' }),
});

/** The files of a folder, page by page. */
export function mountListing(app: App, deps: RoutesDeps): void {
  const { database, members, folders, namesOf, giveWay } = deps;
  const listFiles = createListFiles(database);
  const shared = { method: 'get', tags: ['files'] } as const;
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}',
    operation: 'listFiles',
    summary: 'List the files of a folder',
    auth: members.viewer,
    params: { id: folderId },
    query: listQuery,
    giveWay,
    responses: {
      200: {
        description: 'A page of files. `Link: <…>; rel="next"` (RFC 8288) links to the next page.',
        schema: z.array(listItemSchema),
      },
    },
    async handler({ c, caller, params: { id }, query }) {
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      const page = await listFiles(folder, query);
      addNextLink(c, page.nextCursor);
      const names = await namesOf(page.files);
      await giveWay();
      return page.files.map((file) => listItem(file, names));
    },
  });
}
