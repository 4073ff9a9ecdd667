import { z } from '@hono/zod-openapi';
import { readJson } from '../../../kernel/http/body.ts';
import type { App } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import { unknownClient } from '../../directory.ts';
import type { Places } from '../../places.ts';
import { ADMIN, type AdminParts, createChange, READS, WRITES } from './parts.ts';
import { clientChange, clientMade, clientShown, newClient, showClient } from './schemas.ts';

const BASE = '/api/admin/chat/clients';
const place = z.object({
  platformId: z.string(),
  name: z.string(),
  channels: z.array(z.object({ platformId: z.string(), name: z.string() })),
});
const wishes = z.object({
  channelIds: z.array(z.string().max(20)).max(10_000).optional().openapi({ description: 'Platform ids; left out = all' }),
});

/** Clients: the bots that send. */
export function mountClients(app: App, parts: AdminParts & { places: Places }): void {
  const { database, directory, pauses, places, guard } = parts;
  const change = createChange(parts);

  endpoint(
    app,
    'get',
    BASE,
    {
      ...ADMIN,
      summary: 'All chat clients',
      answers: { 200: { description: 'By name.', schema: z.array(clientShown) } },
      problems: [...READS],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json((await directory.clients(database.read)).map(showClient));
    },
  );

  endpoint(
    app,
    'post',
    BASE,
    {
      ...ADMIN,
      summary: 'Make a chat client',
      body: { 'application/json': newClient },
      answers: { 201: { description: 'The client. Without a token its messages go to the sandbox.', schema: clientMade } },
      problems: [...WRITES, 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const wanted = await readJson(c, newClient);
      const { client, relayKey } = await change((trx) => directory.addClient(trx, wanted));
      return c.json({ ...showClient(client), ...(relayKey === null ? {} : { relayKey }) }, 201);
    },
  );

  endpoint(
    app,
    'patch',
    `${BASE}/{id}`,
    {
      ...ADMIN,
      summary: 'Change a chat client, or lift its pause',
      body: { 'application/json': clientChange },
      answers: { 200: { description: 'The client as it is now. Another token lifts a pause as well.', schema: clientMade } },
      problems: [...WRITES, 'not_found', 'unknown_client', 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { paused, ...wanted } = await readJson(c, clientChange);
      const { client, relayKey } = await change(async (trx) => {
        if (paused === false || wanted.token !== undefined || wanted.enabled) await pauses.lift(trx, { of: 'client', id });
        return await directory.changeClient(trx, id, wanted);
      });
      return c.json({ ...showClient(client), ...(relayKey === null ? {} : { relayKey }) });
    },
  );

  endpoint(
    app,
    'delete',
    `${BASE}/{id}`,
    {
      ...ADMIN,
      summary: 'Delete a chat client with its guilds and channels',
      answers: { 204: { description: 'Gone. Messages that wait for it fail.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found', 'unknown_client'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      await change((trx) => directory.removeClient(trx, pathId(c, 'id')));
      return c.body(null, 204);
    },
  );

  endpoint(
    app,
    'get',
    `${BASE}/{id}/platform`,
    {
      ...ADMIN,
      summary: 'Guilds and channels that the client’s bot sees at the platform',
      answers: { 200: { description: 'Channels that take messages, by guild.', schema: z.array(place) } },
      problems: [...READS, 'invalid_request', 'not_found', 'unknown_client', 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json(await places.list(pathId(c, 'id')));
    },
  );

  endpoint(
    app,
    'post',
    `${BASE}/{id}/import`,
    {
      ...ADMIN,
      summary: 'Take over guilds and channels from the platform',
      body: { 'application/json': wishes },
      answers: {
        200: {
          description: 'How many were added; those that were there already stay as they are.',
          schema: z.object({ guilds: z.int(), channels: z.int() }),
        },
      },
      problems: [...WRITES, 'not_found', 'unknown_client', 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { channelIds } = await readJson(c, wishes);
      const seen = await places.list(id);
      const only = channelIds === undefined ? null : new Set(channelIds);
      return c.json(
        await change(async (trx) => {
          if (!(await directory.clients(trx)).some((client) => client.id === id)) throw unknownClient();
          return await places.adopt(trx, id, seen, only);
        }),
      );
    },
  );
}
