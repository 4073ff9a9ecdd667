import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { addChatRig, type ChatChannel, sendChat, untilStatus } from './harness/chat.ts';
import { endWaits } from './harness/foundation.ts';
import { startPosthouse, startProcess } from './harness/posthouse.ts';
import { until } from './harness/until.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';

const MESSAGES = 20;
const LIMITS = {
  messages: { requests: 10_000, windowMs: 1_000 },
  global: { requests: 10_000, windowMs: 1_000 },
};

/** Each test has its own server, and all run at the same time. */
describe.each(BACKENDS)('a chat relay that is killed, on %s', (backend) => {
  async function rigged() {
    const discord = await startDiscord({ limits: LIMITS });
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_DISCORD_API_URL: discord.url };
    const posthouse = await startProcess(settings);
    const rig = await addChatRig(settings, discord);
    const [one, two] = [await rig.addChannel(), await rig.addChannel()];
    return { discord, settings, posthouse, channels: [one, two] };
  }

  const textsIn = (discord: DiscordStandIn, { channel }: ChatChannel) =>
    discord.world
      .messagesIn(channel.id)
      .map(({ body }) => (body.embeds as { description: string }[])[0]?.description ?? '');

  test.concurrent('an acknowledged message is delivered after the restart, once and in order', async () => {
    const { discord, settings, posthouse, channels } = await rigged();
    // The platform accepts nothing until the server is killed.
    discord.script({ kind: 'status', status: 503 }, Number.MAX_SAFE_INTEGER);
    const ids: string[] = [];
    for (let index = 0; index < MESSAGES; index++) {
      const channel = channels[index % 2] as ChatChannel;
      const { http, id } = await sendChat(
        posthouse,
        { ...channel.target, message: `number ${index}` },
        { Prefer: 'respond-async' },
      );
      expect(http).toBe(202);
      ids.push(id);
    }
    await posthouse.kill();
    await endWaits(settings);
    discord.clearTroubles();
    const again = await startPosthouse(settings);
    await Promise.all(ids.map((id) => untilStatus(again, id, 'sent')));
    for (const [offset, channel] of channels.entries()) {
      const expected = ids.map((_, index) => `number ${index}`).filter((_, index) => index % 2 === offset);
      expect(textsIn(discord, channel)).toEqual(expected);
    }
    await again.stop();
    await discord.stop();
  });

  test.concurrent('a message that was being sent is delivered once, by its nonce', async () => {
    const { discord, settings, posthouse, channels } = await rigged();
    // The platform has the message, but never responds.
    discord.script({ kind: 'hangAfter' }, 2);
    const ids: string[] = [];
    for (const channel of channels) {
      ids.push(
        (await sendChat(posthouse, { ...channel.target, message: 'under way' }, { Prefer: 'respond-async' }))
          .id,
      );
    }
    await until(() => discord.world.messages.length === 2);
    await posthouse.kill();
    expect(await endWaits(settings)).toBe(2);
    const again = await startPosthouse(settings);
    const ended = await Promise.all(ids.map((id) => untilStatus(again, id, 'sent')));
    expect(ended.map(({ attempts }) => attempts)).toEqual([2, 2]);
    for (const channel of channels) expect(textsIn(discord, channel)).toEqual(['under way']);
    await again.stop();
    await discord.stop();
  });

  test.concurrent('counted repeats are shown after the restart', async () => {
    const { discord, settings, posthouse, channels } = await rigged();
    const [channel] = channels as [ChatChannel];
    const first = await sendChat(posthouse, { ...channel.target, message: 'again' });
    discord.script({ kind: 'status', status: 503 }, Number.MAX_SAFE_INTEGER, (method) => method === 'PATCH');
    for (let count = 2; count <= 4; count++) {
      expect(await sendChat(posthouse, { ...channel.target, message: 'again' })).toMatchObject({
        id: first.id,
        folded: count,
      });
    }
    await posthouse.kill();
    discord.clearTroubles();
    const restarted = await startPosthouse(settings);
    const shown = () =>
      discord.world.messagesIn(channel.channel.id)[0]?.edits.at(-1)?.embeds as
        | { description: string }[]
        | undefined;
    await until(() => shown()?.[0]?.description === 'again ×4');
    await restarted.stop();
    await discord.stop();
  });
});
