import { z } from '@hono/zod-openapi';
import { readJson } from '../../../kernel/http/body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint, pathId } from '../../../kernel/http/endpoint.ts';
import { unknownChannel, unknownGuild } from '../../directory.ts';
import type { Reach } from '../../reach.ts';
import type { Send } from '../../send.ts';
import { requireOpen, type Target } from '../../targets.ts';
import { reachAnswer, sendAnswer } from '../schemas.ts';
import { ADMIN, type AdminParts, createChange, READS, WRITES } from './parts.ts';
import { channelChange, channelShown, newPlace, showChannel } from './schemas.ts';

const OF_GUILD = '/api/admin/chat/guilds/{id}/channels';
const ONE = '/api/admin/chat/channels/{id}';
const testBody = z.object({ message: z.string().min(1).max(2000).default('A test message from Posthouse.') });

/** Channels: where messages arrive. */
export function mountChannels(app: App, parts: AdminParts & { send: Send; reach: Reach }): void {
  const { database, directory, pauses, targets, guard, send, reach } = parts;
  const change = createChange(parts);

  async function targetOf(c: Ctx): Promise<Target> {
    const target = await targets.ofChannel(pathId(c, 'id'));
    if (!target) throw unknownChannel();
    return target;
  }

  endpoint(
    app,
    'get',
    OF_GUILD,
    {
      ...ADMIN,
      summary: 'The channels of a chat guild',
      answers: { 200: { description: 'In the order in which they were added.', schema: z.array(channelShown) } },
      problems: [...READS, 'not_found', 'unknown_guild'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      if (!(await directory.guilds(database.read, null)).some((guild) => guild.id === id)) throw unknownGuild();
      return c.json((await directory.channels(database.read, id)).map(showChannel));
    },
  );

  endpoint(
    app,
    'post',
    OF_GUILD,
    {
      ...ADMIN,
      summary: 'Add a channel to a chat guild',
      body: { 'application/json': newPlace },
      answers: { 201: { description: 'The channel.', schema: channelShown } },
      problems: [...WRITES, 'not_found', 'unknown_guild', 'name_taken'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const wanted = await readJson(c, newPlace);
      return c.json(showChannel(await change((trx) => directory.addChannel(trx, id, wanted))), 201);
    },
  );

  endpoint(
    app,
    'patch',
    ONE,
    {
      ...ADMIN,
      summary: 'Change a chat channel, or lift its pause',
      body: { 'application/json': channelChange },
      answers: { 200: { description: 'The channel as it is now.', schema: channelShown } },
      problems: [...WRITES, 'not_found', 'unknown_channel'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const id = pathId(c, 'id');
      const { paused, ...wanted } = await readJson(c, channelChange);
      const channel = await change(async (trx) => {
        if (paused === false || wanted.enabled) await pauses.lift(trx, { of: 'channel', id });
        return await directory.changeChannel(trx, id, wanted);
      });
      return c.json(showChannel(channel));
    },
  );

  endpoint(
    app,
    'delete',
    ONE,
    {
      ...ADMIN,
      summary: 'Delete a chat channel',
      answers: { 204: { description: 'Gone. Messages that wait for it fail.', schema: null } },
      problems: [...READS, 'cross_site_request', 'not_found', 'unknown_channel'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      await change((trx) => directory.removeChannel(trx, pathId(c, 'id')));
      return c.body(null, 204);
    },
  );

  endpoint(
    app,
    'post',
    `${ONE}/check`,
    {
      ...ADMIN,
      summary: 'Ask the platform now whether a message would be sent',
      answers: { 200: { description: 'What the platform says; our own pauses and switches left out.', schema: reachAnswer } },
      problems: [...READS, 'cross_site_request', 'not_found', 'unknown_channel'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      return c.json(await reach.ask(await targetOf(c)));
    },
  );

  endpoint(
    app,
    'post',
    `${ONE}/test`,
    {
      ...ADMIN,
      summary: 'Send a test message into a chat channel',
      body: { 'application/json': testBody },
      answers: {
        200: { description: 'Sent.', schema: sendAnswer },
        202: { description: 'Stored; it will be sent as soon as the platform takes it.', schema: sendAnswer },
      },
      problems: [...WRITES, 'not_found', 'unknown_channel', 'target_disabled', 'target_paused', 'rate_limited', 'platform_rejected'],
    },
    async (c) => {
      await guard.requireAdmin(c);
      const target = await targetOf(c);
      const { message } = await readJson(c, testBody);
      requireOpen(target);
      // Each test is a message of its own, however often it is made.
      const sending = { title: '', message, dedupeKey: `test ${c.get('requestId')}` };
      const { status, body } = await send(target, sending, { idempotencyKey: null, async: false });
      return c.json(body, status);
    },
  );
}
