import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import { readJson } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import type { Workspaces } from '../workspaces.ts';

interface AdminRoutesParts {
  database: Database;
  guard: Guard;
  workspaces: Workspaces;
}

const doc = { tags: ['workspaces'], security: ['session' as const] };
const workspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    usedBytes: z.int(),
    maxBytes: z.int(),
    ownQuota: z.boolean().describe('false: its quota is the setting of the server'),
  })
  .openapi('WorkspaceOverview');
const change = z.object({
  maxBytes: z
    .int()
    .min(0)
    .max(2 ** 50)
    .nullable()
    .describe('null: the setting of the server'),
});

/** What administrators see and set of everybody's workspaces: how full they are, and how full they may be. */
export function mountStorageAdmin(app: App, { database, guard, workspaces }: AdminRoutesParts): void {
  endpoint(
    app,
    'get',
    '/api/admin/storage/workspaces',
    {
      ...doc,
      summary: 'All workspaces and how full they are',
      answers: { 200: { description: 'The fullest first.', schema: z.array(workspace) } },
      problems: ['login_required', 'admin_required'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json(await workspaces.all());
    },
  );

  endpoint(
    app,
    'patch',
    '/api/admin/storage/workspaces/{id}',
    {
      ...doc,
      summary: 'Give a workspace a quota of its own',
      body: { 'application/json': change },
      answers: { 200: { description: 'All workspaces as they are now.', schema: z.array(workspace) } },
      problems: ['login_required', 'admin_required', 'cross_site_request', 'invalid_request', 'not_found'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { maxBytes } = await readJson(c, change);
      await database.transaction((trx) => workspaces.setQuota(trx, id, maxBytes));
      return c.json(await workspaces.all());
    },
  );
}
