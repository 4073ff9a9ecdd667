import { z } from '@hono/zod-openapi';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import type { RoutesDeps } from './deps.ts';
import { folderId, workspaceQuery } from './fields.ts';
import { workspaceUsage } from './records.ts';

const folderUsage = z.object({
  folderId: z.uuid(),
  usedBytes: z.int(),
  fileCount: z.int(),
  folderCount: z.int(),
});

/** The used space of workspaces and folders. */
export function mountUsage(app: App, deps: RoutesDeps): void {
  const { database, members, folders, workspaces, giveWay } = deps;
  const shared = { method: 'get', tags: ['usage'], auth: members.viewer, query: workspaceQuery } as const;
  endpoint(app, {
    ...shared,
    path: '/api/storage/usage',
    operation: 'getUsage',
    summary: 'Get the used space and the quota of a workspace',
    responses: { 200: { description: 'Bytes.', schema: workspaceUsage } },
    problems: ['not_found'],
    async handler({ caller, query }) {
      const found = await workspaces.find(database.read, caller, query.workspaceId ?? null);
      return { usedBytes: found.usedBytes, maxBytes: found.maxBytes };
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/usage/folder/{id}',
    operation: 'getFolderUsage',
    summary: 'Get the used space of a folder and its subfolders',
    params: { id: folderId },
    giveWay,
    responses: { 200: { description: 'Bytes and counts.', schema: folderUsage } },
    async handler({ caller, params: { id }, query }) {
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      return { folderId: folder.id, ...(await folders.usage(folder)) };
    },
  });
}
