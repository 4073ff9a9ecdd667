import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { nextLink } from '../../kernel/http/next-link.ts';
import type { NamesOf } from '../teams/names.ts';
import type { StoredFile } from '../tree/file.ts';
import { newestFiles } from '../tree/newest.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { cursorField, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';
import { listItem, listItemSchema, type Names } from './records.ts';

interface NewestRoutesDeps {
  database: Database;
  members: Members;
  workspaces: Workspaces;
  namesOf: NamesOf;
  /** Public URL of this server, without a slash at the end. */
  publicUrl: string;
}

const query = workspaceQuery.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  cursor: cursorField,
});
const linkSchema = listItemSchema
  .extend({
    kind: z.literal('file'),
    token: z.string().openapi({ description: 'UI token of the file' }),
    url: z.string().openapi({ description: 'Address of its page' }),
    hasPassword: z.boolean(),
  })
  .openapi('SharedLink');
const PAGED = '`Link: <…>; rel="next"` (RFC 8288) leads to the next page.';

/** The files of a workspace, the last added first. */
export function mountNewest(
  app: App,
  { database, members, workspaces, namesOf, publicUrl }: NewestRoutesDeps,
): void {
  const shared = { method: 'get', query, problems: ['not_found'] } as const;

  endpoint(app, {
    ...shared,
    path: '/api/storage/recent',
    operation: 'listRecentFiles',
    summary: 'List the files of a workspace, the last added first',
    tags: ['files'],
    auth: members.viewer,
    answers: { 200: { description: PAGED, schema: z.array(listItemSchema) } },
    async handler({ c, caller, query: { workspaceId = null, ...options } }) {
      const { id } = await workspaces.find(database.read, caller, workspaceId);
      const page = await newestFiles(database, id, options);
      if (page.nextCursor !== null) c.header('Link', nextLink(c, 'cursor', page.nextCursor));
      const names = await namesOf(page.files);
      return page.files.map((file) => listItem(file, names));
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/links',
    operation: 'listLinks',
    summary: 'List the shared files of a workspace, the last added first',
    tags: ['sharing'],
    auth: members.editor,
    answers: {
      200: {
        description: `Files that are public or have an access key. ${PAGED}`,
        schema: z.array(linkSchema),
      },
    },
    async handler({ c, caller, query: { workspaceId = null, ...options } }) {
      const { id } = await workspaces.find(database.read, caller, workspaceId);
      const page = await newestFiles(database, id, { ...options, only: 'shared' });
      if (page.nextCursor !== null) c.header('Link', nextLink(c, 'cursor', page.nextCursor));
      const names = await namesOf(page.files);
      return page.files.map((file) => linkOf(file, names));
    },
  });

  function linkOf(file: StoredFile, names: Names): z.infer<typeof linkSchema> {
    return {
      kind: 'file',
      token: file.uiToken,
      url: `${publicUrl}/public/file/${file.uiToken}`,
      hasPassword: file.passwordHash !== null,
      ...listItem(file, names),
    };
  }
}
