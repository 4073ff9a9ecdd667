import { z } from '@hono/zod-openapi';
import { tokenRecord, tokenTimes } from '../../../kernel/access-tokens.ts';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../../kernel/http/no-store.ts';
import { guid } from '../../../kernel/http/params.ts';
import { invalidField, notFound } from '../../../kernel/problem.ts';
import { nameField, timeField } from '../../../kernel/shared-fields.ts';
import { tokenRoleField } from '../../teams/fields.ts';
import type { TeamRoutesDeps } from './deps.ts';

const path = '/api/storage/workspaces/{id}/tokens';
const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    role: tokenRoleField,
    ...tokenTimes,
  })
  .openapi('WorkspaceToken');
const newToken = z.object({
  name: nameField,
  role: tokenRoleField,
  expiresAt: timeField.optional(),
});

/** Access tokens of shared workspaces, for applications: list, create, revoke. */
export function mountWorkspaceTokens(app: App, deps: TeamRoutesDeps): void {
  const { database, clock, members, workspaces, teams } = deps;
  const { tokens } = teams;
  const shared = { tags: ['workspaces'], auth: members.manager } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    path,
    operation: 'listWorkspaceTokens',
    summary: 'List the access tokens of a workspace',
    params: { id: guid },
    responses: {
      200: { description: 'Newest first; expired ones included.', schema: z.array(tokenSchema) },
    },
    async handler({ caller, params: { id } }) {
      await workspaces.find(database.read, caller, id);
      return (await tokens.list(id)).map(tokenRecord);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path,
    operation: 'createWorkspaceToken',
    summary: 'Create an access token of a workspace',
    description:
      'For an application. The token belongs to the workspace, not to a person, and permits access to its files only.',
    params: { id: guid },
    body: json(newToken),
    responses: {
      201: {
        description: 'The secret `token` cannot be read again.',
        schema: z.object({ id: z.uuid(), token: z.string() }),
      },
    },
    problems: ['personal_workspace', 'limit_reached'],
    async handler({ caller, params: { id }, body: { name, role, ...body }, reply }) {
      const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
      if (expiresAt !== null && expiresAt <= clock.now())
        throw invalidField('expiresAt', 'must be in the future');
      const created = await database.transaction(async (trx) =>
        tokens.create(trx, await workspaces.findLocked(trx, caller, id), {
          name,
          role,
          expiresAt,
          createdBy: caller.id,
        }),
      );
      return reply(201, created, NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: `${path}/{tokenId}`,
    operation: 'revokeWorkspaceToken',
    summary: 'Revoke an access token of a workspace',
    params: { id: guid, tokenId: guid },
    responses: { 204: { description: 'Revoked.' } },
    async handler({ caller, params: { id, tokenId } }) {
      await database.transaction(async (trx) => {
        await workspaces.findLocked(trx, caller, id);
        if (!(await tokens.revoke(trx, tokenId, id))) throw notFound();
      });
    },
  });
}
