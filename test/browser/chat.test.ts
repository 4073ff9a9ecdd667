import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { addChatRig, addSandboxTarget, sendChat } from '../harness/chat.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp, type Seat } from '../harness/web.ts';
import { type DiscordStandIn, startDiscord } from '../stand-ins/discord.ts';
import { EVERYDAY } from '../stand-ins/discord-world.ts';

describe('chat administration and messages in the web app', () => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let seat: Seat;
  let page: Page;
  beforeAll(async () => {
    discord = await startDiscord();
    posthouse = await startPosthouse({
      ...(await freshSettings('sqlite+local')),
      POSTHOUSE_DISCORD_API_URL: discord.url,
    });
    await addAdmin(posthouse.settings);
  });
  afterAll(() => discord.stop());
  beforeEach(async () => {
    seat = await openApp(posthouse, 'ada@example.org', '/admin/chat');
    page = seat.page;
    await page.getByRole('heading', { name: 'Chat', level: 1 }).waitFor();
  });
  afterEach(() => seat.leave());

  async function createClient(name: string, token?: string) {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    if (token) await dialog.getByLabel('Bot token').fill(token);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    return page.locator('.panel').filter({ has: page.getByRole('heading', { name, exact: true }) });
  }

  test('a new client imports a channel and delivers a test message', async () => {
    const bot = discord.world.addBot();
    const guild = discord.world.addGuild([bot]);
    const channel = discord.world.addChannel(guild, { name: 'releases' });
    discord.world.addChannel(guild, { name: 'not-wanted' });
    const panel = await createClient('first', bot.token);
    expect(
      await panel.getByRole('link', { name: 'Invite this bot to a server' }).getAttribute('href'),
    ).toContain(`client_id=${bot.id}&`);
    await panel.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('#not-wanted').uncheck();
    await page.getByRole('button', { name: 'Import 1 channel' }).click();
    await panel.getByText('releases').waitFor();
    expect(await panel.getByText('not-wanted').count()).toBe(0);

    await panel.getByRole('button', { name: 'Test releases' }).click();
    await page.getByText('The bot can post here.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Delivered.').waitFor();
    expect(discord.world.messagesIn(channel.id)).toHaveLength(1);
    await page.keyboard.press('Escape');
    expect(await page.content()).not.toContain(bot.token);

    await panel.getByRole('button', { name: 'Request for releases' }).click();
    const line = (await page.locator('.code-block').textContent()) ?? '';
    const shell = Bun.spawn(['sh', '-c', `${line} --silent --show-error`], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, '']);
    expect(discord.world.messagesIn(channel.id)).toHaveLength(2);
  });

  test('a test of a sandbox does not name a bot', async () => {
    const panel = await createClient('without a bot');
    const add = async (name: string, id: string) => {
      await panel.getByRole('button', { name }).click();
      await page.getByRole('dialog').getByLabel(/ID/).fill(id);
      await page.getByRole('dialog').getByLabel(/^Name/).fill('general');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await add('Add server', '100000000000000001');
    await add('Add channel', '200000000000000001');
    await panel.getByRole('button', { name: 'Test general' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Stored in the sandbox.').waitFor();
    expect(await page.getByText('The bot can post here.').count()).toBe(0);
  });

  test('a test names the missing permission, and a paused channel resumes', async () => {
    const bot = discord.world.addBot();
    const guild = discord.world.addGuild([bot]);
    const channel = discord.world.addChannel(guild, { name: 'closed' });
    const panel = await createClient('second', bot.token);
    await panel.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Import 1 channel' }).click();
    const everyone = guild.roles[0];
    if (everyone)
      everyone.permissions = String(
        EVERYDAY & ~PermissionFlagsBits.EmbedLinks & ~PermissionFlagsBits.SendMessages,
      );
    await panel.getByRole('button', { name: 'Test closed' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The bot cannot post here').waitFor();
    await dialog
      .getByText(/send messages/i)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Stored. Posthouse will try again.').waitFor();
    await page.keyboard.press('Escape');
    await panel.getByText(/The platform refused: .*Missing (Permissions|Access)/).waitFor();
    if (everyone) everyone.permissions = String(EVERYDAY);
    await panel.getByRole('button', { name: 'Resume sending' }).first().click();
    await panel.getByText('Paused').first().waitFor({ state: 'detached' });
    await until(() => discord.world.messagesIn(channel.id).length === 1);
  });

  test('a wrong token is refused at its field', async () => {
    await page.getByRole('button', { name: 'New client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('mistyped');
    await dialog.getByLabel('Bot token').fill(`${btoa('100000000000000009')}.wrong.token`);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/was refused by the platform/).waitFor();
  });

  test('guilds and channels are added, renamed, disabled and deleted', async () => {
    const panel = await createClient('third');
    await panel.getByText('Sandbox', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Add server' }).click();
    await page.getByLabel('Name').fill('Workshop');
    await page.getByLabel('Server ID (guild)').fill('not a number');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByLabel('Server ID (guild)')
      .and(page.locator('[aria-invalid=true], [data-error]'))
      .waitFor();
    await page.getByLabel('Server ID (guild)').fill('100000000000000001');
    await page.getByRole('button', { name: 'Create' }).click();
    await panel.getByRole('button', { name: 'Add channel to Workshop' }).click();
    await page.getByLabel('Name').fill('general');
    await page.getByLabel('Channel ID').fill('100000000000000002');
    await page.getByRole('button', { name: 'Create' }).click();
    await panel.getByRole('button', { name: 'Actions for general' }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await panel.getByText('Disabled').waitFor();
    await panel.getByRole('button', { name: 'Actions for general' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('talk');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await panel.getByText('talk', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Actions for talk' }).click();
    await page.getByRole('menuitem', { name: 'Enable' }).click();
    await panel.getByText('Disabled').waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Actions for third' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'third', exact: true }).waitFor({ state: 'detached' });
  });

  test('a failed message shows the response of the platform and is sent again', async () => {
    const rig = await addChatRig(posthouse.settings, discord);
    const { channel, target } = await rig.addChannel();
    discord.script(
      { kind: 'status', status: 400, body: { message: 'Invalid Form Body', code: 50035 } },
      1,
      (method) => method === 'POST',
    );
    await sendChat(posthouse, { ...target, title: 'Disk full', message: 'At 98 %' });
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Status').selectOption('failed');
    const row = page.getByRole('listitem').filter({ hasText: 'Disk full' });
    await row.getByText(/Invalid Form Body/).waitFor();
    await row.getByText(`#${channel.id}`).waitFor();
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('No messages match').waitFor();
    await page.getByRole('searchbox').fill('98 %');
    await row.getByRole('button', { name: 'Show “Disk full”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sending 1 message again').waitFor();
    await page.getByRole('dialog').getByText('Sent', { exact: true }).waitFor();
    expect(discord.world.messagesIn(channel.id)).toHaveLength(1);
    // The list below the panel refreshes automatically.
    await page.keyboard.press('Escape');
    await page.getByLabel('Status').selectOption('sent');
    await row.getByText('Sent', { exact: true }).waitFor();
  });

  test('a new message appears without a reload', async () => {
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('searchbox').waitFor();
    const target = await addSandboxTarget(posthouse.settings, 'fourth');
    await sendChat(posthouse, { ...target, title: 'Only here', message: 'x' });
    const row = page.getByRole('listitem').filter({ hasText: 'Only here' });
    await row.getByText('Sandbox').waitFor();
    await row.getByRole('button').click();
    await page.getByText('Content (not sent)').waitFor();
  });
});
