import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { newestFiles } from '../tree/files/newest.ts';
import type { RoutesDeps } from './deps.ts';
import { idPageQuery, workspaceQuery } from './fields.ts';
import { listItem, listItemSchema } from './records.ts';

const query = workspaceQuery.extend(idPageQuery);

/** The files of a workspace, the last added first. */
export function mountNewest(app: App, deps: RoutesDeps): void {
  const { database, members, workspaces, namesOf, giveWay } = deps;
  endpoint(app, {
    method: 'get',
    query,
    giveWay,
    problems: ['not_found'],
    path: '/api/storage/recent',
    operation: 'listRecentFiles',
    summary: 'List the files of a workspace, newest first',
    tags: ['files'],
    auth: members.viewer,
    responses: {
      200: {
        description: '`Link: <…>; rel="next"` (RFC 8288) links to the next page.',
        schema: z.array(listItemSchema),
      },
    },
    async handler({ c, caller, query: { workspaceId = null, ...options } }) {
      const { id } = await workspaces.find(database.read, caller, workspaceId);
      const page = await newestFiles(database, id, options);
      addNextLink(c, page.nextCursor);
      const names = await namesOf(page.files);
      await giveWay();
      return page.files.map((file) => listItem(file, names));
    },
  });
}
