import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { json } from '../../kernel/http/request-body.ts';
import type { Folders } from '../tree/folders.ts';
import { ROLES } from '../tree/member.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { folderId } from './fields.ts';
import type { Members } from './members.ts';

interface WorkspaceRoutesDeps {
  database: Database;
  members: Members;
  folders: Folders;
  workspaces: Workspaces;
}

const workspaceUsage = z.object({ usedBytes: z.int(), maxBytes: z.int() });
const workspace = z
  .object({ id: z.uuid(), name: z.string(), role: z.enum(['owner', ...ROLES]), rootFolderId: z.uuid() })
  .extend(workspaceUsage.shape)
  .openapi('Workspace');
const folderUsage = z.object({
  folderId: z.uuid(),
  usedBytes: z.int(),
  fileCount: z.int(),
  folderCount: z.int(),
});
const workspaceQuery = z.object({
  workspaceId: z
    .guid('must be a GUID')
    .toLowerCase()
    .optional()
    .openapi({ description: 'The personal workspace of the caller when left out' }),
});

const overview = z
  .object({
    id: z.uuid(),
    name: z.string(),
    ...workspaceUsage.shape,
    ownQuota: z.boolean().describe('False when the quota is the server’s setting'),
  })
  .openapi('WorkspaceOverview');
const quotaChange = z.object({
  maxBytes: z
    .int()
    .min(0)
    .max(2 ** 50)
    .nullable()
    .describe('null: the server’s setting'),
});

/** Workspaces and their used space. */
export function mountUsage(app: App, { database, members, folders, workspaces }: WorkspaceRoutesDeps): void {
  const shared = { tags: ['usage'], auth: members.viewer } as const;
  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/workspaces',
    operation: 'listWorkspaces',
    summary: 'List the workspaces of the caller',
    answers: { 200: { description: 'All of them.', schema: z.array(workspace) } },
    handler: ({ caller }) => workspaces.list(caller),
  });

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/usage',
    operation: 'getUsage',
    summary: 'Get the used space and the quota of a workspace',
    query: workspaceQuery,
    answers: { 200: { description: 'Bytes.', schema: workspaceUsage } },
    problems: ['not_found'],
    async handler({ caller, query }) {
      const { usedBytes, maxBytes } = await workspaces.find(caller, query.workspaceId ?? null);
      return { usedBytes, maxBytes };
    },
  });

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/usage/folder/{id}',
    operation: 'getFolderUsage',
    summary: 'Get the used space of a folder and its subfolders',
    params: { id: folderId },
    answers: { 200: { description: 'Bytes and counts.', schema: folderUsage } },
    async handler({ caller, params }) {
      const folder = await folders.find(database.read, caller, params.id);
      return { folderId: folder.id, ...(await folders.usage(folder)) };
    },
  });
}

/** Workspaces and quotas of all accounts, for administrators. */
export function mountStorageAdmin(
  app: App,
  { database, guard, workspaces }: Pick<WorkspaceRoutesDeps, 'database' | 'workspaces'> & { guard: Guard },
): void {
  const shared = { tags: ['workspaces'], auth: guard.admin } as const;
  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/admin/storage/workspaces',
    operation: 'listAllWorkspaces',
    summary: 'List all workspaces with their used space',
    answers: { 200: { description: 'The fullest first.', schema: z.array(overview) } },
    handler: () => workspaces.all(),
  });

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: '/api/admin/storage/workspaces/{id}',
    operation: 'setWorkspaceQuota',
    summary: 'Set the quota of a workspace',
    params: { id: guid },
    body: json(quotaChange),
    answers: { 200: { description: 'All workspaces after the change.', schema: z.array(overview) } },
    async handler({ params: { id }, body }) {
      await database.transaction((trx) => workspaces.setQuota(trx, id, body.maxBytes));
      return await workspaces.all();
    },
  });
}
