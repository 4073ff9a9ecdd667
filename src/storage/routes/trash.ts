import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { guid } from '../../kernel/http/params.ts';
import type { RoutesDeps } from './deps.ts';
import { timePageQuery, workspaceQuery } from './fields.ts';
import { mountRestore } from './restore.ts';
import { trashEntryRecord, trashEntrySchema } from './trash-records.ts';

const trashQuery = workspaceQuery.extend(timePageQuery);

/** Deleted files and folders: list, restore, erase. */
export function mountTrash(app: App, deps: RoutesDeps): void {
  mountTrashListing(app, deps);
  mountRestore(app, deps);
  mountErasure(app, deps);
}

function mountTrashListing(
  app: App,
  { database, members, trash, workspaces, namesOf, trashDays, giveWay }: RoutesDeps,
): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/trash',
    operation: 'listTrash',
    summary: 'List deleted files and folders, most recent first',
    tags: ['trash'],
    auth: members.editor,
    query: trashQuery,
    giveWay,
    responses: {
      200: {
        description:
          'A page of entries; a folder that was deleted with its content is one. `Link` as for files.',
        schema: z.array(trashEntrySchema),
      },
    },
    problems: ['not_found'],
    async handler({ c, caller, query }) {
      const workspace = await workspaces.find(database.read, caller, query.workspaceId ?? null);
      const { entries, nextCursor } = await trash.list(workspace, query);
      addNextLink(c, nextCursor);
      const names = await namesOf([
        ...entries.flatMap(({ file }) => file ?? []),
        ...entries.map(({ deletedBy }) => ({ workspaceId: workspace.id, createdBy: deletedBy })),
      ]);
      await giveWay();
      return entries.map((each) => trashEntryRecord(each, names, trashDays));
    },
  });
}

function mountErasure(app: App, { members, trash, workspaces }: RoutesDeps): void {
  const shared = { method: 'delete', tags: ['trash'], auth: members.manager } as const;

  endpoint(app, {
    ...shared,
    path: '/api/storage/trash/{id}',
    operation: 'eraseFromTrash',
    summary: 'Erase a deleted file or folder',
    params: { id: guid },
    responses: { 204: { description: 'Erased; it cannot be restored.' } },
    problems: ['unavailable'],
    handler: ({ caller, params: { id } }) => trash.erase(caller, id),
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/trash',
    operation: 'emptyTrash',
    summary: 'Erase all deleted files and folders',
    query: workspaceQuery,
    responses: { 204: { description: 'Erased; none of them can be restored.' } },
    problems: ['not_found', 'unavailable'],
    handler: ({ caller, query }) =>
      trash.empty((reader) => workspaces.find(reader, caller, query.workspaceId ?? null)),
  });
}
