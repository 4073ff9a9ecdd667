import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid } from '../../../kernel/http/params.ts';
import { notFound } from '../../../kernel/problem.ts';
import { memberRoleField } from '../../teams/fields.ts';
import { requiring } from '../../tree/member.ts';
import type { TeamRoutesDeps } from './deps.ts';

const path = '/api/storage/workspaces/{id}/members';
const tags = ['workspaces'];
const memberSchema = z
  .object({ accountId: z.uuid(), email: z.string(), name: z.string(), role: memberRoleField })
  .openapi('WorkspaceMember');

/** The members of shared workspaces: list, add, change, remove. */
export function mountMembers(app: App, deps: TeamRoutesDeps): void {
  const { database, members, workspaces, teams } = deps;
  const { memberships } = teams;
  const memberIn = async (workspaceId: string, accountId: string) => {
    const member = (await memberships.list(workspaceId)).find((one) => one.accountId === accountId);
    if (!member) throw notFound();
    return member;
  };

  endpoint(app, {
    method: 'get',
    path,
    operation: 'listMembers',
    summary: 'List the members of a workspace',
    tags,
    auth: members.manager,
    params: { id: guid },
    responses: { 200: { description: 'The members, managers first.', schema: z.array(memberSchema) } },
    async handler({ c, caller, params: { id } }) {
      await c.env.giveWay();
      await workspaces.find(database.read, caller, id);
      return await memberships.list(id);
    },
  });

  endpoint(app, {
    method: 'post',
    path,
    operation: 'addMember',
    summary: 'Add a person to a workspace',
    tags,
    auth: members.manager,
    params: { id: guid },
    body: json(z.object({ email: z.string().trim().min(1).max(254), role: memberRoleField })),
    responses: { 201: { description: 'The member.', schema: memberSchema } },
    problems: ['unknown_account', 'already_member', 'personal_workspace'],
    async handler({ caller, params: { id }, body: { email, role }, reply }) {
      await workspaces.find(database.read, caller, id);
      const account = await memberships.accountOf(email);
      await database.transaction(async (trx) =>
        memberships.add(trx, await workspaces.findLocked(trx, caller, id), account, role),
      );
      return reply(201, { accountId: account.id, email: account.email, name: account.name, role });
    },
  });

  const ofMember = { path: `${path}/{accountId}`, params: { id: guid, accountId: guid }, tags } as const;
  endpoint(app, {
    ...ofMember,
    method: 'patch',
    operation: 'changeMember',
    summary: 'Change the role of a member',
    auth: members.manager,
    body: json(z.object({ role: memberRoleField })),
    responses: { 200: { description: 'The changed member.', schema: memberSchema } },
    problems: ['last_manager', 'personal_workspace'],
    async handler({ caller, params: { id, accountId }, body: { role } }) {
      await database.transaction(async (trx) =>
        memberships.change(trx, await workspaces.findLocked(trx, caller, id), accountId, role),
      );
      return await memberIn(id, accountId);
    },
  });

  endpoint(app, {
    ...ofMember,
    method: 'delete',
    operation: 'removeMember',
    summary: 'Remove a member from a workspace, or leave it',
    description: 'Members may remove themselves; managers also remove others.',
    auth: members.viewer,
    responses: { 204: { description: 'Removed.' } },
    problems: ['role_insufficient', 'last_manager', 'personal_workspace'],
    async handler({ caller, params: { id, accountId } }) {
      const member = accountId === caller.id ? caller : requiring(caller, 'manager');
      await database.transaction(async (trx) =>
        memberships.remove(trx, await workspaces.findLocked(trx, member, id), accountId),
      );
    },
  });
}
