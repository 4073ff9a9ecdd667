import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openPostgres } from '../src/kernel/database/postgres/postgres.ts';
import { openSqlite } from '../src/kernel/database/sqlite/sqlite.ts';
import { createLog } from '../src/kernel/log.ts';
import { createIndexer } from '../src/storage/search/indexer.ts';
import { createWorkspaces } from '../src/storage/tree/workspaces.ts';
import { addPerson, openSession } from '../test/harness/accounts.ts';
import { cookiesOf } from '../test/harness/browser.ts';
import { createTestDatabase } from '../test/harness/databases.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';
import { analyze, fillNamed } from '../test/harness/many-rows.ts';
import { startPeers } from '../test/harness/peers.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { readOptions } from './lib/options.ts';
import { finish, print, record } from './lib/report.ts';

/**
 * Measures the time until Chromium shows the first rows of a folder of 10,000 files in a workspace of 100,000, on both
 * databases: `npm run bench -- first-rows`.
 */
const { files: FILES } = readOptions('first-rows');
const ROUNDS = 11;
const TARGET_MS = 500;
const EMAIL = 'bench@example.org';
/** Name of the first of ten folders. */
const FOLDER = 'f1';

/** Resolves in the page at the first frame with a row of a file, with the milliseconds since `since`. */
const untilRows = (since: number) => `new Promise((resolve) => {
  const look = () => document.querySelector('[role=grid] tbody')?.textContent.includes('img_')
    ? resolve(performance.now() - ${since}) : requestAnimationFrame(look);
  look();
})`;

async function fill(settings: Record<string, string>): Promise<string> {
  const { id } = await addPerson(settings, EMAIL);
  const { POSTHOUSE_DATABASE_URL: url, POSTHOUSE_DATA_DIR: directory = '' } = settings;
  const log = createLog('silent');
  const database = url ? openPostgres(url) : openSqlite(join(directory, 'posthouse.sqlite'), log);
  const limits = { workspaceBytes: 2 ** 40, trashDays: 7 };
  const { workspaceId, rootFolderId } = await createWorkspaces({ database, clock: Date, limits }).profileOf(
    id,
  );
  if (workspaceId === null || rootFolderId === null) throw new Error('the workspace is missing');
  await fillNamed(database, { workspaceId, rootFolderId }, FILES);
  await createIndexer(database).catchUp();
  // Otherwise autovacuum would do it meanwhile.
  await analyze(database);
  const { id: folder } = await database.read
    .selectFrom('folders')
    .select('id')
    .where('name', '=', FOLDER)
    .executeTakeFirstOrThrow();
  await database.close();
  return folder;
}

async function visit(browser: Browser, posthouse: Posthouse): Promise<BrowserContext> {
  const { cookie } = await openSession(posthouse, EMAIL);
  const context = await browser.newContext({
    baseURL: posthouse.url,
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
  });
  await context.addCookies(cookiesOf(cookie, posthouse.url));
  return context;
}

/** Opens the address of the folder. */
async function load(page: Page, folder: string): Promise<number> {
  await page.goto(`/files/${folder}`, { waitUntil: 'commit' });
  return await page.evaluate<number>(untilRows(0));
}

/** Opens the folder from the one above. */
async function enter(page: Page): Promise<number> {
  await page.goto('/files');
  const row = page.getByRole('row').filter({ hasText: FOLDER }).first();
  await row.click();
  const begun = await page.evaluate<number>('performance.now()');
  await page.keyboard.press('Enter');
  return await page.evaluate<number>(untilRows(begun));
}

async function measure(name: string, settings: Record<string, string>, browser: Browser): Promise<void> {
  const folder = await fill(settings);
  const posthouse = await startProcess(settings);
  try {
    // Builds the web app of changed sources.
    await posthouse.fetch('/files', { headers: { Cookie: 'posthouse=any' } });
    const context = await visit(browser, posthouse);
    const page = await context.newPage();
    await report(`${name}, the address, nothing cached`, async () => {
      const fresh = await visit(browser, posthouse);
      const time = await load(await fresh.newPage(), folder);
      await fresh.close();
      return time;
    });
    await report(`${name}, the address again`, () => load(page, folder));
    await report(`${name}, from the folder above`, () => enter(page));
    await context.close();
  } finally {
    await posthouse.stop();
  }
}

async function report(what: string, work: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await work());
  times.sort((a, b) => a - b);
  const [median, slowest] = [times[(ROUNDS - 1) / 2] ?? 0, times.at(-1) ?? 0].map(Math.round);
  record(what, { median, slowest, target: TARGET_MS });
  print(
    `${what.padEnd(40)} median ${median} ms, slowest ${slowest} ms, target ${TARGET_MS}: ${(median ?? 0) <= TARGET_MS ? 'reached' : 'short'}`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 'posthouse-bench-'));
const peers = await startPeers();
const browser = await launchChromium();
try {
  const settings = (name: string) => ({
    POSTHOUSE_DATA_DIR: join(directory, name),
    POSTHOUSE_LOG_LEVEL: 'warn',
    POSTHOUSE_WORKSPACE_BYTES: String(2 ** 40),
  });
  await measure('sqlite', settings('sqlite'), browser);
  const postgres = { ...settings('postgres'), POSTHOUSE_DATABASE_URL: await createTestDatabase(peers) };
  await measure('postgres', postgres, browser);
  finish('first-rows');
} finally {
  await browser.close();
  await peers.stop();
  rmSync(directory, { recursive: true, force: true });
}
