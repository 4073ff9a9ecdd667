import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { Folders } from '../tree/folders.ts';
import { timelineBelow, timelineOf } from '../tree/timeline.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { folderIdField, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';

interface TimelineRoutesDeps {
  database: Database;
  members: Members;
  folders: Folders;
  workspaces: Workspaces;
}

const monthSchema = z.object({ month: z.string().openapi({ example: '2019-07' }), count: z.int() });

/** Pictures and videos by month. */
export function mountTimeline(
  app: App,
  { database, members, folders, workspaces }: TimelineRoutesDeps,
): void {
  endpoint(app, {
    method: 'get',
    path: '/api/storage/timeline',
    operation: 'getTimeline',
    summary: 'Count pictures and videos by month',
    tags: ['files'],
    auth: members.viewer,
    query: workspaceQuery.extend({
      folderId: folderIdField.optional().openapi({
        description: 'GUID of a folder, or `root`, with all below it; left out: the whole workspace',
      }),
    }),
    answers: {
      200: {
        description: 'By the time they were taken, else by that of their upload; the newest month first.',
        schema: z.array(monthSchema),
      },
    },
    problems: ['not_found'],
    async handler({ caller, query: { workspaceId, folderId } }) {
      if (folderId !== undefined)
        return await timelineBelow(
          database,
          await folders.find(database.read, caller, folderId, workspaceId),
        );
      const { id } = await workspaces.find(database.read, caller, workspaceId ?? null);
      return await timelineOf(database, id);
    },
  });
}
