import { z } from '@hono/zod-openapi';
import { json } from '../../../kernel/http/bodies/request-body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import type { GuildImport } from '../../directory/guild-import.ts';
import { type AdminDeps, ofRecord } from './shared.ts';

type ImportDeps = Pick<AdminDeps, 'directory' | 'change' | 'guard'> & { guildImport: GuildImport };

const platformChannel = z.object({ platformId: z.string(), name: z.string() });
const platformGuild = platformChannel.extend({ channels: z.array(platformChannel) });
const selection = z.object({
  channelIds: z
    .array(z.string().max(20))
    .max(10_000)
    .optional()
    .openapi({ description: 'Platform ids of the channels to import; all if omitted' }),
});

/** Guilds and channels at the platform, and their import. */
export function mountImport(app: App, deps: ImportDeps): void {
  const { directory, guildImport, change } = deps;
  const shared = ofRecord(deps);

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/admin/chat/clients/{id}/platform',
    operation: 'listPlatformGuilds',
    summary: 'List the guilds and channels that the bot of a chat client can see',
    responses: {
      200: { description: 'Guilds with the channels that accept messages.', schema: z.array(platformGuild) },
    },
    problems: ['invalid_request', 'unknown_client', 'platform_rejected', 'platform_incompatible'],
    handler: async ({ params: { id } }) => await guildImport.list(id),
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path: '/api/admin/chat/clients/{id}/import',
    operation: 'importChatGuilds',
    summary: 'Import guilds and channels from the platform',
    body: json(selection),
    responses: {
      200: {
        description: 'Numbers of added guilds and channels. Existing ones are not changed.',
        schema: z.object({ guilds: z.int(), channels: z.int() }),
      },
    },
    problems: ['unknown_client', 'platform_rejected', 'platform_incompatible'],
    async handler({ params: { id }, body: { channelIds } }) {
      const found = await guildImport.list(id);
      const only = channelIds === undefined ? null : new Set(channelIds);
      return await change(async (trx) =>
        guildImport.adopt(trx, await directory.clientId(trx, id), found, only),
      );
    },
  });
}
