import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { freshSettings } from '../harness/backends.ts';
import { addChatRig, type ChatChannel, type ChatRig, sendChat } from '../harness/chat.ts';
import { addMailClient, type MailClient, post } from '../harness/mail.ts';
import { freePort } from '../harness/peers.ts';
import { addAdmin, type Posthouse, startPosthouse } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp, type Seat } from '../harness/web.ts';
import { type DiscordStandIn, startDiscord } from '../stand-ins/discord.ts';

const EMAIL = 'ada@example.org';
const isPost = (method: string) => method === 'POST';

async function startFor(discord: DiscordStandIn, settings: Record<string, string> = {}): Promise<Posthouse> {
  const posthouse = await startPosthouse({
    ...(await freshSettings('sqlite+local')),
    POSTHOUSE_DISCORD_API_URL: discord.url,
    ...settings,
  });
  await addAdmin(posthouse.settings, EMAIL);
  return posthouse;
}

describe('messages in the web app', () => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  let rig: ChatRig;
  let channel: ChatChannel;
  let client: MailClient;
  let seat: Seat;
  let page: Page;
  beforeAll(async () => {
    discord = await startDiscord();
    posthouse = await startFor(discord);
    rig = await addChatRig(posthouse.settings, discord);
    client = await addMailClient(posthouse.settings, 'shop', '--services', 'email,telegram');
  });
  afterAll(() => discord.stop());
  beforeEach(async () => {
    channel = await rig.addChannel();
  });
  afterEach(async () => {
    discord.clearTroubles();
    await seat.leave();
  });

  const open = async (path = '/admin/messages') => {
    seat = await openApp(posthouse, EMAIL, path);
    page = seat.page;
  };
  const row = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  const isPostHere = (method: string, path: string) => isPost(method) && path.includes(channel.channel.id);
  const send = (title: string) => sendChat(posthouse, { ...channel.target, title, message: 'as it says' });

  test('the messages that match the filters are saved as CSV', async () => {
    await send('Saved as CSV');
    await send('Left out');
    await open('/admin/messages?search=Saved');
    await row('Saved as CSV').waitFor();
    await row('Left out').waitFor({ state: 'detached' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const text = await Bun.file(await saved.path()).text();
    expect(text).toContain('Saved as CSV,sent');
    expect(text).not.toContain('Left out');
  });

  test('the choices of an e-mail break no word on a phone', async () => {
    const mail = { ...client, To: 'a@example.org', Subject: 'On a phone', HtmlTemplate: '<p>Hello</p>' };
    await post(posthouse, '/requestemail', mail);
    seat = await openApp(posthouse, EMAIL, '/admin/messages', { width: 390, touch: true });
    page = seat.page;
    await page.getByRole('button', { name: 'Show “On a phone”' }).click();
    const choices = page.getByRole('dialog').getByRole('radiogroup', { name: 'Content' }).locator('label');
    await choices.nth(1).waitFor();
    const lines = await page.evaluate<number[]>(`[...document.querySelectorAll('[role=dialog] label')].map(
      (label) => {
        const text = document.createRange();
        text.selectNodeContents(label);
        return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      },
    )`);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe(lines[1] ?? 0);
  });

  test('a waiting message is shown on the home page and cancelled', async () => {
    discord.script({ kind: 'status', status: 503 }, Number.MAX_SAFE_INTEGER, isPostHere);
    await send('Too early');
    await open('/');
    const oldest = page.locator('.figure').filter({ hasText: 'Oldest waiting message' });
    await oldest.locator('time').waitFor();
    await oldest.getByRole('link', { name: 'Show messages' }).click();
    await row('Too early').getByText('Waiting').waitFor();
    await row('Too early')
      .getByText(/\d attempts? · next attempt/)
      .waitFor();
    await row('Too early').getByRole('button', { name: 'Show “Too early”' }).click();
    const panel = page.getByRole('dialog');
    await panel.getByText(/503/).first().waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Message cancelled').waitFor();
    await panel.getByText('Cancelled', { exact: true }).waitFor();
    discord.clearTroubles();
    expect(discord.world.messagesIn(channel.channel.id)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Home' }).click();
    await oldest.getByText('None', { exact: true }).waitFor();
  });

  test('messages are filtered by client, recipient and time, and the address keeps the filters', async () => {
    for (const to of ['ada@example.org', 'bob@example.org'])
      await post(posthouse, '/requestemail', { ...client, To: to, Subject: `For ${to}`, Body: 'x' });
    await open();
    await row('For bob@example.org').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Recipient').fill('ADA@example.org');
    await row('For bob@example.org').waitFor({ state: 'detached' });
    await row('For ada@example.org').waitFor();
    await page.reload();
    await row('For ada@example.org').waitFor();
    expect(await row('For bob@example.org').count()).toBe(0);
    await page.getByLabel('Client').selectOption('shop');
    await row('For ada@example.org').waitFor();
    await page.getByLabel('Accepted since').fill('2099-01-01T00:00');
    await page.getByText('No messages match').waitFor();
    await page.getByLabel('Accepted since').fill('');
    await page.getByLabel('Accepted before').fill('2099-01-01T00:00');
    await row('For ada@example.org').waitFor();
  });

  test('a message is not sent again twice by a double click', async () => {
    await send('Sent again');
    await open();
    await row('Sent again').getByText('Sent', { exact: true }).waitFor();
    await row('Sent again').getByRole('button', { name: /^Show/ }).click();
    const answer = Promise.withResolvers<void>();
    await page.route('**/resend', async (route) => {
      await answer.promise;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Send again' });
    await button.click();
    await until(() => button.isDisabled());
    answer.resolve();
    await page.getByText('Sending 1 message again').waitFor();
  });

  test('several failed messages are selected and sent again', async () => {
    discord.script(
      { kind: 'status', status: 400, body: { message: 'Invalid Form Body', code: 50_035 } },
      2,
      isPostHere,
    );
    for (const title of ['First refused', 'Second refused']) await send(title);
    await open();
    for (const title of ['First refused', 'Second refused']) {
      await row(title).getByText('Failed', { exact: true }).waitFor();
      await row(title).getByRole('checkbox').check();
    }
    await page.getByRole('button', { name: 'Send 2 again' }).waitFor();
    // A button that sends messages which are not shown would surprise.
    await page.getByLabel('Kind').selectOption('email');
    await page.getByRole('button', { name: 'Send 2 again' }).waitFor({ state: 'detached' });
    await page.getByLabel('Kind').selectOption('');
    await page.getByRole('button', { name: 'Send 2 again' }).click();
    await page.getByText('Sending 2 messages again').waitFor();
    for (const title of ['First refused', 'Second refused'])
      await row(title).getByText('Sent', { exact: true }).waitFor();
    expect(discord.world.messagesIn(channel.channel.id)).toHaveLength(2);
  });

  test('messages are filtered by kind and sandbox, and opens appear automatically', async () => {
    await send('Only in chat');
    const answer = await post(posthouse, '/requestemail', {
      ...client,
      To: 'grace@example.org',
      Subject: 'Only as mail',
      HtmlTemplate: '<body>Hello</body>',
      TrackOpens: true,
    });
    await open();
    await row('Only in chat').waitFor();
    await page.getByLabel('Kind').selectOption('email');
    await row('Only in chat').waitFor({ state: 'detached' });
    await row('Only as mail').getByText('Sandbox').waitFor();
    await page.getByLabel('Kind').selectOption('');
    await row('Only in chat').waitFor();
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Sandbox only').check();
    await row('Only in chat').waitFor({ state: 'detached' });
    await row('Only as mail').getByRole('button').click();
    const panel = page.getByRole('dialog');
    await panel.getByText('Content (not sent)').waitFor();
    // The tooltip of a time is exact, in the reader's zone.
    expect(await panel.locator('time').first().getAttribute('title')).toMatch(/GMT\+\d|CES?T/);
    const [source] = await Promise.all([
      page.context().waitForEvent('page'),
      panel.getByRole('link', { name: 'Source' }).click(),
    ]);
    await source.close();
    const text = await (await page.request.get(`/api/admin/mail/messages/${answer.body.Id}/source`)).text();
    const pixel = /\/mail\/opens\/[\w.-]+/.exec(text.replace(/=\r?\n/g, ''))?.[0] ?? '';
    await posthouse.fetch(pixel, { headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux)' } });
    await panel.getByRole('heading', { name: 'Opened once' }).waitFor();
  });
});

describe('the home page of administrators', () => {
  let discord: DiscordStandIn;
  let posthouse: Posthouse;
  beforeAll(async () => {
    discord = await startDiscord();
    posthouse = await startFor(discord, {
      POSTHOUSE_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      POSTHOUSE_MAIL_FROM: 'shop@example.org',
    });
  });
  afterAll(() => discord.stop());

  test('shows the server status, and charts of messages and failures', async () => {
    const rig = await addChatRig(posthouse.settings, discord);
    const { target } = await rig.addChannel();
    for (const title of ['one', 'two']) await sendChat(posthouse, { ...target, title, message: 'x' });
    discord.script({ kind: 'status', status: 400, body: { message: 'no', code: 50_035 } }, 1, isPost);
    await sendChat(posthouse, { ...target, title: 'three', message: 'x' });
    const seat = await openApp(posthouse, EMAIL, '/');
    const { page } = seat;
    const part = (name: string) =>
      page
        .getByRole('list', { name: 'Server status' })
        .getByRole('listitem')
        .filter({ has: page.getByText(name, { exact: true }) });
    await part('Database').getByRole('img', { name: 'Works', exact: true }).waitFor();
    await part('Mail server').getByRole('img', { name: 'Does not work' }).waitFor();
    await part('Telegram').getByRole('img', { name: 'Not set up' }).waitFor();
    const names = await page
      .getByRole('list', { name: 'Server status' })
      .locator('.row-title')
      .allTextContents();
    expect(names.filter((name) => !/^[A-Z]/.test(name))).toEqual([]);
    // Failed checks come first.
    expect(
      await page.getByRole('list', { name: 'Server status' }).getByRole('listitem').first().textContent(),
    ).toContain('Mail server');
    await page.getByRole('figure', { name: 'Accepted: 3' }).waitFor();
    await page.getByRole('figure', { name: 'Failed: 1' }).waitFor();
    expect(await page.locator('.figure').filter({ hasText: 'Messages in 24 hours' }).textContent()).toContain(
      '3',
    );
    await page
      .locator('.figure')
      .filter({ hasText: 'Failed in 24 hours' })
      .getByRole('link', { name: 'Show messages' })
      .click();
    await page.getByRole('listitem').filter({ hasText: 'three' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'as mail' }).count()).toBe(0);
    await seat.leave();
  });

  test('a page that failed to load shows the error, and loads once the server responds', async () => {
    const seat = await openApp(posthouse, EMAIL, '/');
    const { page } = seat;
    await page.route('**/api/admin/messages?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByText('Check your connection').waitFor();
    await page.unroute('**/api/admin/messages?*');
    await page.getByRole('list', { name: 'Messages' }).getByText('three').waitFor();
    await seat.leave();
  });
});
