import { z } from '@hono/zod-openapi';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { addNextLink } from '../../../kernel/http/next-link.ts';
import { newestFiles } from '../../tree/files/newest.ts';
import { folderIdField, idPageQuery, workspaceQuery } from '../fields.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { fileLinkRecord, linkRecord, sharedLinkSchema } from './records.ts';

const query = workspaceQuery.extend({
  folderId: folderIdField
    .optional()
    .openapi({ description: 'Only links to this folder, and shared files in it; a GUID, or `root`' }),
  ...idPageQuery,
});

/** Everything of a workspace that others can open: links, and single files that are public or have a key. */
export function mountLinkListing(app: App, deps: LinkRoutesDeps): void {
  const { database, members, links, workspaces, namesOf, giveWay } = deps;
  endpoint(app, {
    method: 'get',
    path: '/api/storage/links',
    operation: 'listLinks',
    summary: 'List the links and shared files of a workspace, newest first',
    tags: ['sharing'],
    auth: members.editor,
    query,
    giveWay,
    problems: ['not_found'],
    responses: {
      200: {
        description:
          'Links to folders and to chosen files (of the caller; for managers, of all members), and files that are ' +
          'public or have an access key. `Link: <…>; rel="next"` (RFC 8288) links to the next page.',
        schema: z.array(sharedLinkSchema),
      },
    },
    async handler({ c, caller, query: { workspaceId = null, folderId, limit, cursor } }) {
      const workspace = await workspaces.find(database.read, caller, workspaceId);
      const options = { cursor, folderId: folderId === 'root' ? workspace.rootFolderId : folderId };
      const found = await links.list(caller, workspace, { ...options, limit: limit + 1 });
      const { files } = await newestFiles(database, workspace.id, {
        ...options,
        limit: limit + 1,
        only: 'shared',
      });
      const names = await namesOf([...files, ...found]);
      await giveWay();
      // Ids of files and links are in the order of time (UUIDv7).
      const merged = [
        ...files.map((file) => fileLinkRecord(file, names, deps)),
        ...found.map((link) => linkRecord(link, names, deps)),
      ].sort((a, b) => (a.id < b.id ? 1 : -1));
      const page = merged.slice(0, limit);
      const last = page.at(-1);
      if (merged.length > limit && last) addNextLink(c, last.id);
      return page;
    },
  });
}
