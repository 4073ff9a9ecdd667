import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { freshSettings, ONE_BACKEND } from './harness/backends.ts';
import { addChatRig, addSandboxTarget, type ChatChannel, type ChatRig, sendChat } from './harness/chat.ts';
import { postJson } from './harness/json.ts';
import { type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { type DiscordStandIn, startDiscord } from './stand-ins/discord.ts';
import { EVERYDAY, snowflake } from './stand-ins/discord-world.ts';

const { ViewChannel, SendMessages, SendMessagesInThreads, EmbedLinks, Administrator, ManageThreads } =
  PermissionFlagsBits;

describe.each(ONE_BACKEND)('canSendMessage on %s', (backend) => {
  let discord: DiscordStandIn;
  let settings: Record<string, string>;
  let posthouse: Posthouse;

  beforeAll(async () => {
    discord = await startDiscord({ limits: { global: { requests: 10_000, windowMs: 1_000 } } });
    settings = { ...(await freshSettings(backend)), POSTHOUSE_DISCORD_API_URL: discord.url };
    posthouse = await startPosthouse(settings);
  });
  afterAll(async () => {
    await posthouse.stop();
    await discord.stop();
  });

  const request = async (target: object) => {
    const answer = await postJson(posthouse, '/api/chatbot/canSendMessage', target);
    expect(answer.status).toBe(200);
    return (await answer.json()) as { canSend: boolean; reason: string | null; detail: string };
  };
  const reason = async ({ target }: ChatChannel) => {
    const answer = await request(target);
    expect(answer.canSend).toBe(answer.reason === null);
    expect(answer.detail).not.toBe('');
    return answer.reason;
  };

  describe('predicts the response of the platform', () => {
    let rig: ChatRig;
    const role = snowflake();
    const other = snowflake();
    const bits = (...some: bigint[]) => String(some.reduce((sum, bit) => sum | bit, 0n));
    const all = (deny: bigint, allow = 0n) => ({
      id: rig.guild.id,
      type: OverwriteType.Role,
      allow: bits(allow),
      deny: bits(deny),
    });
    const forRole = (id: string, allow: bigint, deny = 0n) => ({
      id,
      type: OverwriteType.Role,
      allow: bits(allow),
      deny: bits(deny),
    });
    const own = (allow: bigint, deny = 0n) => ({
      id: rig.bot.id,
      type: OverwriteType.Member,
      allow: bits(allow),
      deny: bits(deny),
    });

    beforeAll(async () => {
      rig = await addChatRig(settings, discord);
      rig.guild.roles.push(
        { id: role, name: 'relay', permissions: '0' },
        { id: other, name: 'others', permissions: bits(Administrator) },
      );
      rig.guild.members.set(rig.bot.id, { roles: [role], timedOutUntil: null });
    });

    test('when it may', async () => {
      expect(await reason(await rig.addChannel())).toBeNull();
    });

    test.each([
      [() => [all(ViewChannel)], 'missing_view_channel'],
      [() => [all(SendMessages)], 'missing_send_messages'],
      [() => [all(EmbedLinks)], 'missing_embed_links'],
      [() => [all(SendMessages), forRole(role, SendMessages)], null],
      [() => [all(SendMessages), forRole(other, SendMessages)], 'missing_send_messages'],
      [() => [forRole(role, 0n, SendMessages), forRole(role, SendMessages)], null],
      [() => [all(SendMessages), forRole(role, 0n, SendMessages), own(SendMessages)], null],
      [() => [forRole(role, SendMessages), own(0n, SendMessages)], 'missing_send_messages'],
    ])('overwrites %#', async (overwrites, expected) => {
      const channel = await rig.addChannel({ overwrites: overwrites() });
      expect(await reason(channel)).toBe(expected);
      // The platform decides the same.
      const may = discord.world.permissionsOf(rig.bot, channel.channel);
      const needed = ViewChannel | SendMessages | EmbedLinks;
      expect((may & needed) === needed).toBe(expected === null);
    });

    test.each([
      [ChannelType.GuildAnnouncement, null],
      [ChannelType.GuildVoice, null],
      [ChannelType.GuildCategory, 'channel_takes_no_messages'],
      [ChannelType.GuildForum, 'channel_takes_no_messages'],
    ])('channel type %d: %s', async (type, expected) => {
      expect(await reason(await rig.addChannel({ type }))).toBe(expected);
    });

    describe('checks threads:', () => {
      const inThread = async (more: object, overwrites: ReturnType<typeof all>[] = []) => {
        const parent = discord.world.addChannel(rig.guild, { overwrites });
        return await reason(
          await rig.addChannel({ type: ChannelType.PublicThread, parentId: parent.id, ...more }),
        );
      };
      test('a separate permission, and the parent’s overwrites', async () => {
        expect(await inThread({})).toBeNull();
        expect(await inThread({}, [all(SendMessages)])).toBeNull();
        expect(await inThread({}, [all(SendMessagesInThreads)])).toBe('missing_send_messages');
      });
      test('locked: moderators only', async () => {
        expect(await inThread({ locked: true })).toBe('thread_locked');
        expect(await inThread({ locked: true }, [own(ManageThreads)])).toBeNull();
      });
      test('private: members and moderators only', async () => {
        const type = ChannelType.PrivateThread;
        expect(await inThread({ type })).toBe('missing_view_channel');
        expect(await inThread({ type, threadMembers: new Set([rig.bot.id]) })).toBeNull();
        expect(await inThread({ type }, [own(ManageThreads)])).toBeNull();
      });
    });

    test('allows administrators regardless of overwrites', async () => {
      const guild = discord.world.guilds.get(rig.guild.id);
      const channel = await rig.addChannel({
        overwrites: [all(ViewChannel | SendMessages), own(0n, SendMessages)],
      });
      guild?.members.set(rig.bot.id, { roles: [other], timedOutUntil: null });
      const answer = await reason(channel);
      guild?.members.set(rig.bot.id, { roles: [role], timedOutUntil: null });
      expect(answer).toBeNull();
    });

    test('rejects a member who is timed out', async () => {
      const channel = await rig.addChannel();
      const until = new Date(Date.now() + 60_000).toISOString();
      rig.guild.members.set(rig.bot.id, { roles: [role], timedOutUntil: until });
      const answer = await reason(channel);
      rig.guild.members.set(rig.bot.id, { roles: [role], timedOutUntil: null });
      expect(answer).toBe('bot_timed_out');
    });
  });

  test('rejects a bot that is not in the guild', async () => {
    const rig = await addChatRig(settings, discord);
    const channel = await rig.addChannel();
    rig.guild.members.delete(rig.bot.id);
    expect(await reason(channel)).toBe('bot_not_in_guild');
  });

  test('rejects a missing channel and one of another guild', async () => {
    const rig = await addChatRig(settings, discord);
    const [gone, moved] = [await rig.addChannel(), await rig.addChannel()];
    discord.world.channels.delete(gone.channel.id);
    moved.channel.guildId = discord.world.addGuild([rig.bot], EVERYDAY).id;
    expect(await reason(gone)).toBe('channel_not_found');
    expect(await reason(moved)).toBe('channel_in_other_guild');
  });

  test('reports a rejected token', async () => {
    const rig = await addChatRig(settings, discord);
    const channel = await rig.addChannel();
    discord.world.bots.delete(rig.bot.token);
    expect(await reason(channel)).toBe('token_refused');
  });

  test('reports that the platform is unreachable', async () => {
    const channel = await (await addChatRig(settings, discord)).addChannel();
    discord.script({ kind: 'status', status: 503 }, 1);
    expect(await reason(channel)).toBe('platform_unreachable');
  });

  test('caches the result by channel', async () => {
    const rig = await addChatRig(settings, discord);
    const [channel, other] = [await rig.addChannel(), await rig.addChannel()];
    expect(await Promise.all([reason(channel), reason(channel)])).toEqual([null, null]);
    const asked = discord.arrived.length;
    channel.channel.overwrites = [
      { id: rig.guild.id, type: OverwriteType.Role, allow: '0', deny: String(SendMessages) },
    ];
    expect(await reason(channel)).toBeNull();
    expect(discord.arrived.length).toBe(asked);
    expect(await reason(other)).toBeNull();
    expect(discord.arrived.length).toBeGreaterThan(asked);
  });

  test('allows everything in the sandbox', async () => {
    expect(await request(await addSandboxTarget(settings, 'sandboxed'))).toMatchObject({
      canSend: true,
      reason: null,
    });
  });

  test('rejects invalid bodies', async () => {
    const target = { clientId: 'x', guildId: '1', channelId: '2' };
    for (const field of ['clientId', 'guildId', 'channelId']) {
      for (const wrong of [undefined, 7, '']) {
        const answer = await postJson(posthouse, '/api/chatbot/canSendMessage', {
          ...target,
          [field]: wrong,
        });
        const problem = (await answer.json()) as { code: string; errors: { path: string }[] };
        expect([answer.status, problem.code, problem.errors[0]?.path]).toEqual([
          400,
          'invalid_request',
          field,
        ]);
      }
    }
    const text = await posthouse.fetch('/api/chatbot/canSendMessage', {
      method: 'POST',
      body: JSON.stringify(target),
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(text.status).toBe(415);
  });

  test('a message to an allowed target is sent', async () => {
    const channel = await (await addChatRig(settings, discord)).addChannel();
    expect(await reason(channel)).toBeNull();
    expect((await sendChat(posthouse, { ...channel.target, message: 'as was said' })).http).toBe(200);
  });
});
