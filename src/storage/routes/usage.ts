import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, type Security } from '../../kernel/http/endpoint.ts';
import type { Folders } from '../folders.ts';
import type { Workspaces } from '../workspaces.ts';
import { pathFolderId } from './folder-id.ts';

interface UsageRoutesParts {
  database: Database;
  guard: Guard;
  folders: Folders;
  workspaces: Workspaces;
}

const tags = ['usage'];
const security: Security[] = ['session', 'bearer'];
const workspace = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.string(),
  rootFolderId: z.uuid(),
  usedBytes: z.int(),
  maxBytes: z.int(),
});
const folderUsage = z.object({ folderId: z.uuid(), usedBytes: z.int(), fileCount: z.int(), folderCount: z.int() });

/** Workspaces and how full they are. */
export function mountUsage(app: App, { database, guard, folders, workspaces }: UsageRoutesParts): void {
  endpoint(
    app,
    'get',
    '/api/storage/workspaces',
    {
      summary: 'The workspaces of the caller',
      tags,
      security,
      answers: { 200: { description: 'All of them.', schema: z.array(workspace) } },
      problems: ['login_required'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      return c.json(await workspaces.list(accountId));
    },
  );

  endpoint(
    app,
    'get',
    '/api/storage/usage',
    {
      summary: 'How full a workspace is',
      tags,
      security,
      query: z.object({ workspaceId: z.uuid().optional().openapi({ description: 'The caller’s own, when it is left out' }) }),
      answers: { 200: { description: 'Bytes.', schema: z.object({ usedBytes: z.int(), maxBytes: z.int() }) } },
      problems: ['login_required', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const { usedBytes, maxBytes } = await workspaces.one(accountId, c.req.query('workspaceId')?.toLowerCase() ?? null);
      return c.json({ usedBytes, maxBytes });
    },
  );

  endpoint(
    app,
    'get',
    '/api/storage/usage/folder/{id}',
    {
      summary: 'How much a folder holds, subfolders included',
      tags,
      security,
      answers: { 200: { description: 'Bytes and counts.', schema: folderUsage } },
      problems: ['login_required', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const { id } = await folders.find(database.read, accountId, pathFolderId(c));
      return c.json({ folderId: id, ...(await folders.usage(id)) });
    },
  );
}
