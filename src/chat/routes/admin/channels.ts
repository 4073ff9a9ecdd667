import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { channelJson } from '../../directory/record-json.ts';
import { channelChange, channelSchema, newRecord } from './schemas.ts';
import { type AdminDeps, ofRecord } from './shared.ts';

/** Channels: the targets of messages. */
export function mountChannels(app: App, deps: AdminDeps): void {
  mountChannelsOfGuild(app, deps);
  mountChannel(app, deps);
}

function mountChannelsOfGuild(app: App, deps: AdminDeps): void {
  const { database, directory, change } = deps;
  const shared = { ...ofRecord(deps), path: '/api/admin/chat/guilds/{id}/channels' } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    operation: 'listChatChannels',
    summary: 'List the channels of a chat guild',
    responses: { 200: { description: 'In the order of their creation.', schema: z.array(channelSchema) } },
    problems: ['unknown_guild'],
    async handler({ params: { id } }) {
      const guildId = await directory.guildId(database.read, id, null);
      return (await directory.channels(database.read, guildId)).map(channelJson);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    operation: 'createChatChannel',
    summary: 'Add a channel to a chat guild',
    body: json(newRecord),
    responses: { 201: { description: 'The channel.', schema: channelSchema } },
    problems: ['unknown_guild', 'name_taken'],
    handler: async ({ params: { id }, body }) =>
      channelJson(await change((trx) => directory.addChannel(trx, id, body))),
  });
}

function mountChannel(app: App, deps: AdminDeps): void {
  const { directory, pauses, change } = deps;
  const shared = {
    ...ofRecord(deps),
    path: '/api/admin/chat/channels/{id}',
    problems: ['unknown_channel'],
  } as const;

  endpoint(app, {
    ...shared,
    method: 'patch',
    operation: 'updateChatChannel',
    summary: 'Rename, enable, disable or resume a chat channel',
    body: json(channelChange),
    responses: { 200: { description: 'The changed channel.', schema: channelSchema } },
    async handler({ params: { id }, body: { paused, ...settings } }) {
      const channel = await change(async (trx) => {
        if (paused === false || settings.enabled) await pauses.lift(trx, { of: 'channel', id });
        return await directory.changeChannel(trx, id, settings);
      });
      return channelJson(channel);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    operation: 'deleteChatChannel',
    summary: 'Delete a chat channel',
    responses: { 204: { description: 'Deleted. Messages waiting for it will fail.' } },
    handler: ({ params: { id } }) => change((trx) => directory.remove(trx, 'channel', id)),
  });
}
