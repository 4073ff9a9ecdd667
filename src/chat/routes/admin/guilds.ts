import { z } from '@hono/zod-openapi';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import { ADMIN, type AdminParts, createChange, READS, WRITES } from './parts.ts';
import { guildChange, guildShown, newPlace, showGuild } from './schemas.ts';

const OF_CLIENT = '/api/admin/chat/clients/{id}/guilds';
const ONE = '/api/admin/chat/guilds/{id}';

/** Guilds: where a client sends. */
export function mountGuilds(app: App, parts: AdminParts): void {
  const { database, directory, pauses, guard } = parts;
  const change = createChange(parts);

  endpoint(
    app,
    'get',
    OF_CLIENT,
    {
      ...ADMIN,
      summary: 'The guilds of a chat client',
      answers: { 200: { description: 'In the order in which they were added.', schema: z.array(guildShown) } },
      problems: [...READS, 'not_found', 'unknown_client'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = await directory.clientId(database.read, pathId(c, 'id'));
      return c.json((await directory.guilds(database.read, id)).map(showGuild));
    },
  );

  endpoint(
    app,
    'post',
    OF_CLIENT,
    {
      ...ADMIN,
      summary: 'Add a guild to a chat client',
      body: { 'application/json': newPlace },
      answers: { 201: { description: 'The guild.', schema: guildShown } },
      problems: [...WRITES, 'not_found', 'unknown_client', 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const wanted = await readJson(c, newPlace);
      return c.json(showGuild(await change((trx) => directory.addGuild(trx, id, wanted))), 201);
    },
  );

  endpoint(
    app,
    'patch',
    ONE,
    {
      ...ADMIN,
      summary: 'Change a chat guild',
      body: { 'application/json': guildChange },
      answers: { 200: { description: 'The guild as it is now.', schema: guildShown } },
      problems: [...WRITES, 'not_found', 'unknown_guild'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const wanted = await readJson(c, guildChange);
      const guild = await change(async (trx) => {
        if (wanted.enabled) await pauses.hasten(trx, { of: 'guild', id });
        return await directory.changeGuild(trx, id, wanted);
      });
      return c.json(showGuild(guild));
    },
  );

  endpoint(
    app,
    'delete',
    ONE,
    {
      ...ADMIN,
      summary: 'Delete a chat guild with its channels',
      answers: { 204: { description: 'Gone. Messages that wait for it fail.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found', 'unknown_guild'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      await change((trx) => directory.removeGuild(trx, pathId(c, 'id')));
      return c.body(null, 204);
    },
  );
}
