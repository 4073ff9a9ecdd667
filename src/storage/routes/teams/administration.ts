import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid } from '../../../kernel/http/params.ts';
import { nameField } from '../../../kernel/shared-fields.ts';
import type { WorkspaceUse } from '../../teams/administration.ts';
import { workspaceUsage } from '../records.ts';
import type { TeamRoutesDeps } from './deps.ts';

const path = '/api/admin/workspaces';
const tags = ['workspaces'];
const emailField = z.string().trim().min(1).max(254);
const overview = z
  .object({
    id: z.uuid(),
    name: z.string(),
    personal: z.boolean(),
    ...workspaceUsage.shape,
    ownQuota: z.boolean().describe('False when the quota is the server’s setting'),
    managers: z
      .array(z.object({ accountId: z.uuid(), email: z.string(), name: z.string(), disabled: z.boolean() }))
      .describe('Of a shared workspace'),
    deleted: z.boolean().describe('True until its files are erased'),
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
const responses = { 200: { description: 'All workspaces after the change.', schema: z.array(overview) } };

type ListAll = (c: Ctx) => Promise<z.input<typeof overview>[]>;

/** Workspaces for administrators: list, create, quotas, managers. Their files are not accessible here. */
export function mountAdministration(app: App, deps: TeamRoutesDeps): void {
  const { database, guard, workspaces, teams } = deps;
  const { administration, memberships } = teams;
  const shared = { tags, auth: guard.admin } as const;
  const all: ListAll = async (c) => {
    await c.env.giveWay();
    return (await administration.all()).map(overviewRecord);
  };
  endpoint(app, {
    ...shared,
    method: 'get',
    path,
    operation: 'listAllWorkspaces',
    summary: 'List all workspaces with their used space and managers',
    responses: { 200: { description: 'Fullest first.', schema: z.array(overview) } },
    handler: ({ c }) => all(c),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path,
    operation: 'createWorkspaceFor',
    summary: 'Create a shared workspace with another person as its manager',
    body: json(z.object({ name: nameField, manager: emailField })),
    responses: { 201: { description: 'All workspaces after the change.', schema: z.array(overview) } },
    problems: ['unknown_account'],
    async handler({ c, body: { name, manager }, reply }) {
      const { id: accountId } = await memberships.accountOf(manager);
      await database.transaction((trx) => workspaces.create(trx, { name, personal: false, accountId }));
      return reply(201, await all(c));
    },
  });

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: `${path}/{id}`,
    operation: 'setWorkspaceQuota',
    summary: 'Set the quota of a workspace',
    params: { id: guid },
    body: json(quotaChange),
    responses,
    async handler({ c, params: { id }, body }) {
      await database.transaction((trx) => administration.setQuota(trx, id, body.maxBytes));
      return await all(c);
    },
  });

  mountManagers(app, deps, all);
}

function mountManagers(
  app: App,
  { database, guard, teams: { administration, memberships } }: TeamRoutesDeps,
  all: ListAll,
): void {
  const shared = { tags, auth: guard.admin, responses } as const;
  endpoint(app, {
    ...shared,
    method: 'post',
    path: `${path}/{id}/managers`,
    operation: 'addManager',
    summary: 'Make a person a manager of a shared workspace',
    params: { id: guid },
    body: json(z.object({ email: emailField })),
    problems: ['unknown_account', 'personal_workspace'],
    async handler({ c, params: { id }, body: { email } }) {
      const account = await memberships.accountOf(email);
      await database.transaction(async (trx) =>
        memberships.put(trx, await administration.find(trx, id), account, 'manager'),
      );
      return await all(c);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: `${path}/{id}/managers/{accountId}`,
    operation: 'removeManager',
    summary: 'Remove a manager from a shared workspace',
    params: { id: guid, accountId: guid },
    problems: ['last_manager', 'personal_workspace'],
    async handler({ c, params: { id, accountId } }) {
      await database.transaction(async (trx) =>
        memberships.remove(trx, await administration.find(trx, id), accountId),
      );
      return await all(c);
    },
  });
}

function overviewRecord({ managers, rootFolderId: _, ...workspace }: WorkspaceUse): z.input<typeof overview> {
  return {
    ...workspace,
    managers: managers.map(({ id: accountId, email, name, disabled }) => ({
      accountId,
      email,
      name,
      disabled,
    })),
  };
}
