import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid } from '../../../kernel/http/params.ts';
import { nameField } from '../../../kernel/shared-fields.ts';
import { workspaceRecord, workspaceSchema } from '../records.ts';
import type { TeamRoutesDeps } from './deps.ts';

const path = '/api/storage/workspaces';
const tags = ['workspaces'];
const named = json(z.object({ name: nameField }));

/** Workspaces: list, create, rename, delete, restore. */
export function mountWorkspaces(app: App, deps: TeamRoutesDeps): void {
  mountListAndCreate(app, deps);
  mountChanges(app, deps);
}

function mountListAndCreate(
  app: App,
  { database, guard, members, workspaces, teams: { shared } }: TeamRoutesDeps,
): void {
  endpoint(app, {
    method: 'get',
    path,
    operation: 'listWorkspaces',
    summary: 'List the workspaces of the caller',
    tags,
    auth: members.viewer,
    responses: {
      200: {
        description: 'All of them; those with `dateErased` are deleted and can be restored until then.',
        schema: z.array(workspaceSchema),
      },
    },
    async handler({ c, caller }) {
      await c.env.giveWay();
      return (await workspaces.list(caller)).map(workspaceRecord);
    },
  });

  endpoint(app, {
    method: 'post',
    path,
    operation: 'createWorkspace',
    summary: 'Create a shared workspace',
    tags,
    auth: guard.account,
    body: named,
    responses: { 201: { description: 'The workspace; its creator is a manager.', schema: workspaceSchema } },
    problems: ['workspace_not_allowed'],
    async handler({ caller: { accountId, role }, body, reply }) {
      const account = { id: accountId, isAdmin: role === 'admin' };
      const workspace = await database.transaction((trx) => shared.create(trx, account, body.name));
      return reply(201, workspaceRecord(workspace));
    },
  });
}

function mountChanges(app: App, { database, members, workspaces, teams: { shared } }: TeamRoutesDeps): void {
  const ofWorkspace = { tags, auth: members.manager, params: { id: guid } } as const;

  endpoint(app, {
    ...ofWorkspace,
    method: 'patch',
    path: `${path}/{id}`,
    operation: 'renameWorkspace',
    summary: 'Rename a workspace',
    body: named,
    responses: { 200: { description: 'The changed workspace.', schema: workspaceSchema } },
    handler: ({ caller, params: { id }, body: { name } }) =>
      database.transaction(async (trx) => {
        const workspace = await workspaces.findLocked(trx, caller, id);
        await shared.rename(trx, workspace, name);
        return workspaceRecord({ ...workspace, name });
      }),
  });

  endpoint(app, {
    ...ofWorkspace,
    method: 'delete',
    path: `${path}/{id}`,
    operation: 'deleteWorkspace',
    summary: 'Delete a shared workspace',
    responses: {
      204: { description: 'Deleted for everyone immediately. Managers can restore it for a few days.' },
    },
    problems: ['personal_workspace'],
    async handler({ caller, params: { id } }) {
      await database.transaction(async (trx) =>
        shared.remove(trx, await workspaces.findLocked(trx, caller, id)),
      );
    },
  });

  endpoint(app, {
    ...ofWorkspace,
    method: 'post',
    path: `${path}/{id}/restore`,
    operation: 'restoreWorkspace',
    summary: 'Restore a deleted workspace',
    responses: { 200: { description: 'The workspace.', schema: workspaceSchema } },
    handler: ({ caller, params: { id } }) =>
      database.transaction(async (trx) => workspaceRecord(await shared.restore(trx, caller, id))),
  });
}
