import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { cookiesOf, signIn } from '../test/harness/browser.ts';
import { runJson } from '../test/harness/command.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';
import { PAGES } from '../test/harness/pages.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { startDiscord } from '../test/stand-ins/discord.ts';
import { startSmtpStandIn } from '../test/stand-ins/smtp.ts';
import { ALBUM, fill, INBOX, LOCKED_FILE, PUBLIC_PICTURE } from './sample-data.ts';

/** Takes the pictures of every page in docs/screenshots, from a new server with sample data. */
const DIRECTORY = join(import.meta.dir, '../docs/screenshots');
const EMAIL = 'ada@example.org';
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

interface Shot {
  name: string;
  path: string;
  act?: (page: Page) => Promise<unknown>;
  /** Take it in dark colors and on a phone as well. */
  dark?: true;
  phone?: true;
  /** Take it without a session. */
  visitor?: true;
}

const SHOTS: Shot[] = [
  {
    name: 'home',
    path: '/',
    act: (page) => page.locator('.chart').nth(1).waitFor(),
    dark: true,
    phone: true,
  },
  { name: 'files', path: '/files', act: filesShown, dark: true, phone: true },
  {
    name: 'files-grid',
    path: '/files',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'Photos' }).getByRole('link').click();
      await page.getByTitle('Grid').click();
      await page.locator('.tile .thumbnail').nth(3).waitFor();
    },
  },
  {
    name: 'files-selected',
    path: '/files',
    async act(page) {
      await filesShown(page);
      for (const name of ['Budget 2026.csv', 'Meeting notes.txt'])
        await page.getByLabel(`Select ${name}`).click();
    },
  },
  {
    name: 'sharing',
    path: '/files',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'Offer' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Share and details' }).click();
      await page.getByRole('button', { name: /^QR code/ }).click();
      await page.getByRole('img', { name: /^QR code/ }).waitFor();
    },
    dark: true,
    phone: true,
  },
  {
    name: 'preview',
    path: '/files',
    async act(page) {
      await page.getByRole('row').filter({ hasText: 'Photos' }).getByRole('link').click();
      await page.getByRole('button', { name: 'Harbour.jpg', exact: true }).click();
      await page.locator('.picture').last().waitFor();
    },
  },
  {
    name: 'timeline',
    path: '/timeline',
    act: (page) => page.locator('.timeline-tile .thumbnail').nth(8).waitFor(),
    dark: true,
    phone: true,
  },
  {
    name: 'palette',
    path: '/',
    async act(page) {
      await page.locator('.chart').nth(1).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search everything').fill('har');
      await page
        .getByRole('button', { name: /Harbour/ })
        .locator('img')
        .waitFor();
    },
    phone: true,
  },
  { name: 'shared', path: '/files/shared', act: (page) => page.getByRole('listitem').nth(4).waitFor() },
  { name: 'trash', ...PAGES.trash },
  { name: 'chat', ...PAGES.chat, dark: true, phone: true },
  { name: 'mail-clients', ...PAGES.mailClients, phone: true },
  {
    name: 'mail-client',
    path: '/admin/mail',
    async act(page) {
      await page.getByRole('button', { name: 'Edit Website' }).click();
      await page.getByLabel('Allowed origins').waitFor();
    },
  },
  { name: 'mail-templates', ...PAGES.mailTemplates },
  { name: 'template-editor', ...PAGES.templateEditor, dark: true, phone: true },
  { name: 'mail-settings', ...PAGES.mailSettings },
  {
    name: 'mail-spam',
    path: '/admin/mail/spam',
    act: (page) => page.getByRole('listitem').first().waitFor(),
  },
  { name: 'messages', path: '/admin/messages', act: messagesShown, dark: true, phone: true },
  {
    name: 'message',
    path: '/admin/messages',
    async act(page) {
      await messagesShown(page);
      await page
        .getByRole('button', { name: /Show “Your order/ })
        .first()
        .click();
      await page.frameLocator('.mail-frame').locator('body *').first().waitFor();
    },
    phone: true,
  },
  {
    name: 'people',
    path: '/admin/people',
    act: (page) => page.getByRole('listitem').nth(2).waitFor(),
    phone: true,
  },
  {
    name: 'workspaces',
    path: '/admin/workspaces',
    act: (page) => page.getByRole('listitem').nth(2).waitFor(),
  },
  { name: 'account', ...PAGES.account, phone: true },
];

interface VisitorPages {
  open: string;
  locked: string;
  album: string;
  inbox: string;
}

const visitorShots = ({ open, locked, album, inbox }: VisitorPages): Shot[] => [
  { name: 'share-page', path: open, act: picturesShown, visitor: true, dark: true, phone: true },
  { name: 'share-page-password', path: locked, visitor: true },
  { name: 'gallery', path: album, act: picturesShown, visitor: true, dark: true, phone: true },
  { name: 'upload-page', path: inbox, visitor: true, phone: true },
  { name: 'welcome', path: '/', visitor: true },
  {
    name: 'sign-in',
    path: '/login?returnTo=/',
    act: (page) => page.locator('input[name=password]').waitFor(),
    visitor: true,
    phone: true,
  },
];

/** Returns the path of the share page of a file in the root folder. */
async function sharePage(
  posthouse: Posthouse,
  headers: Record<string, string>,
  name: string,
): Promise<string> {
  const files = (await (await posthouse.fetch('/api/storage/files/root', { headers })).json()) as {
    id: string;
    originalName: string;
  }[];
  const id = files.find(({ originalName }) => originalName === name)?.id;
  const metadata = (await (
    await posthouse.fetch(`/api/storage/files/${id}/metadata`, { headers })
  ).json()) as { uiToken: string };
  return `/public/file/${metadata.uiToken}`;
}

/** Returns the path of the page of a link. */
async function linkPage(
  posthouse: Posthouse,
  headers: Record<string, string>,
  wanted: string,
): Promise<string> {
  const links = (await (await posthouse.fetch('/api/storage/links', { headers })).json()) as {
    title: string | null;
    token: string;
  }[];
  return `/public/folder/${links.find(({ title }) => title === wanted)?.token}`;
}

const picturesShown = (page: Page) =>
  page.evaluate('Promise.allSettled([...document.images].map((image) => image.decode()))');

async function filesShown(page: Page): Promise<void> {
  await page.locator('.thumbnail').first().waitFor();
}

async function messagesShown(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Show/ }).nth(4).waitFor();
}

async function take(context: BrowserContext, shot: Shot, name: string): Promise<void> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(shot.path);
  await page.getByRole('heading').first().waitFor();
  await shot.act?.(page);
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))');
  // A palette of 256 colors makes them a third as large.
  await sharp(await page.screenshot())
    .png({ palette: true, quality: 95, effort: 8 })
    .toFile(join(DIRECTORY, `${name}.png`));
  await page.close();
  process.stdout.write(`${name}.png\n`);
}

async function takeAll(browser: Browser, posthouse: Posthouse, shots: readonly Shot[]): Promise<void> {
  const { cookie } = await signIn(posthouse, EMAIL);
  const session = cookiesOf(cookie, posthouse.url);
  const looks = [
    { suffix: '', viewport: WIDE, colorScheme: 'light', wanted: () => true },
    { suffix: '-dark', viewport: WIDE, colorScheme: 'dark', wanted: (shot: Shot) => shot.dark === true },
    { suffix: '-phone', viewport: PHONE, colorScheme: 'light', wanted: (shot: Shot) => shot.phone === true },
  ] as const;
  const only = process.argv.slice(2);
  for (const { suffix, viewport, colorScheme, wanted } of looks) {
    for (const shot of shots.filter(wanted)) {
      const name = `${shot.name}${suffix}`;
      if (only.length > 0 && !only.some((part) => name.includes(part))) continue;
      const context = await browser.newContext({
        baseURL: posthouse.url,
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
      });
      await context.addInitScript("localStorage.setItem('posthouse-first-steps-hidden', 'true')");
      if (!shot.visitor) await context.addCookies(session);
      await take(context, shot, name);
      await context.close();
    }
  }
}

mkdirSync(DIRECTORY, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-screenshots-'));
const [discord, smtp] = await Promise.all([
  startDiscord({ limits: { messages: { requests: 100, windowMs: 1000 } } }),
  startSmtpStandIn(),
]);
const posthouse = await startProcess({
  POSTHOUSE_DATA_DIR: dataDir,
  POSTHOUSE_LOG_LEVEL: 'silent',
  POSTHOUSE_WORKSPACE_BYTES: String(120 * 2 ** 20),
  POSTHOUSE_DISCORD_API_URL: discord.url,
  POSTHOUSE_SMTP_URL: `smtp://${smtp.host}:${smtp.port}?tls=none`,
  POSTHOUSE_MAIL_FROM: 'Shop <shop@example.org>',
});
await runJson(
  posthouse.settings,
  'user',
  'add',
  '--email',
  EMAIL,
  '--password',
  'correct horse battery',
  '--name',
  'Ada Lovelace',
  '--admin',
);
const { headers } = await signIn(posthouse, EMAIL);
await fill(posthouse, headers, discord);
const pages = {
  open: await sharePage(posthouse, headers, PUBLIC_PICTURE),
  locked: await sharePage(posthouse, headers, LOCKED_FILE),
  album: await linkPage(posthouse, headers, ALBUM),
  inbox: await linkPage(posthouse, headers, INBOX),
};
const browser = await launchChromium();
try {
  await takeAll(browser, posthouse, [...SHOTS, ...visitorShots(pages)]);
} finally {
  await browser.close();
  await Promise.all([posthouse.stop(), discord.stop(), smtp.stop()]);
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(0);
