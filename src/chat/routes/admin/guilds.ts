import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guildJson } from '../../directory/record-json.ts';
import { guildChange, guildSchema, newRecord } from './schemas.ts';
import { type AdminDeps, ofRecord } from './shared.ts';

/** Guilds: the groups of channels of a client. */
export function mountGuilds(app: App, deps: AdminDeps): void {
  mountGuildsOfClient(app, deps);
  mountGuild(app, deps);
}

function mountGuildsOfClient(app: App, deps: AdminDeps): void {
  const { database, directory, change } = deps;
  const shared = { ...ofRecord(deps), path: '/api/admin/chat/clients/{id}/guilds' } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'listChatGuilds',
    summary: 'List the guilds of a chat client',
    responses: { 200: { description: 'In the order of their creation.', schema: z.array(guildSchema) } },
    problems: ['unknown_client'],
    async handler({ params: { id } }) {
      const clientId = await directory.clientId(database.read, id);
      return (await directory.guilds(database.read, clientId)).map(guildJson);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'createChatGuild',
    summary: 'Add a guild to a chat client',
    body: json(newRecord),
    responses: { 201: { description: 'The guild.', schema: guildSchema } },
    problems: ['unknown_client', 'name_taken'],
    handler: async ({ params: { id }, body }) =>
      guildJson(await change((trx) => directory.addGuild(trx, id, body))),
  });
}

function mountGuild(app: App, deps: AdminDeps): void {
  const { directory, pauses, change } = deps;
  const shared = {
    ...ofRecord(deps),
    path: '/api/admin/chat/guilds/{id}',
    problems: ['unknown_guild'],
  } as const;

  endpoint(app, {
    ...shared,
    method: 'patch',
    operation: 'updateChatGuild',
    summary: 'Rename, enable or disable a chat guild',
    body: json(guildChange),
    responses: { 200: { description: 'The changed guild.', schema: guildSchema } },
    async handler({ params: { id }, body }) {
      const guild = await change(async (trx) => {
        if (body.enabled) await pauses.expedite(trx, { of: 'guild', id });
        return await directory.changeGuild(trx, id, body);
      });
      return guildJson(guild);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'deleteChatGuild',
    summary: 'Delete a chat guild with its channels',
    responses: { 204: { description: 'Deleted. Messages waiting for its channels will fail.' } },
    handler: ({ params: { id } }) => change((trx) => directory.remove(trx, 'guild', id)),
  });
}
