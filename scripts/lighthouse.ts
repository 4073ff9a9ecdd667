import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { cookiesOf, signIn } from '../test/harness/browser.ts';
import { runJson } from '../test/harness/command.ts';
import { filesOf } from '../test/harness/files.ts';
import { launchChromium } from '../test/harness/launch-chromium.ts';
import { freePort } from '../test/harness/peers.ts';
import type { Posthouse } from '../test/harness/process.ts';
import { startProcess } from '../test/harness/start.ts';
import { until } from '../test/harness/until.ts';

/*
 * Prints the scores of Lighthouse with the profile of a phone, for the pages for visitors and for the app. Lighthouse
 * is installed for the run, since it is larger than all other packages together: into the directory in the first
 * argument, or a temporary one. The second argument selects pages by a part of their path.
 */

const VERSION = 'lighthouse@12.8.2';
const EMAIL = 'ada@example.org';
const PASSWORD = 'correct horse battery';
/** Audits with a lower score are printed. */
const SHOWN_BELOW = 0.9;

interface Audit {
  id: string;
  title: string;
  score: number | null;
  displayValue?: string;
  details?: { items?: { description?: string }[] };
}

interface Report {
  categories: Record<
    string,
    { id: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, Audit>;
}

/** Uploads pictures. Returns the paths to examine, and the cookie for those of the app. */
async function pagesOf(posthouse: Posthouse) {
  await runJson(posthouse.settings, 'user', 'add', '--email', EMAIL, '--password', PASSWORD);
  const { cookie, headers } = await signIn(posthouse, EMAIL, PASSWORD);
  const files = filesOf(posthouse, headers);
  const noise = { type: 'gaussian', mean: 128, sigma: 6 } as const;
  const picture = sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#47a', noise } });
  const bytes = Uint8Array.from(await picture.jpeg({ quality: 80 }).toBuffer());
  const folderId = await files.newFolder('Photos');
  for (let count = 0; count < 12; count++)
    await files.upload(bytes, { name: `${count}.jpg`, folder: folderId });
  const shown = await files.change((await files.upload(bytes, { name: 'view.jpg' })).id, { visibility: 1 });
  const link = (await (await files.post('/api/storage/links', { folderId })).json()) as { token: string };
  await until(async () => (await files.get(`/api/storage/files/${shown.id}/preview`)).ok);
  return {
    cookie,
    visitors: [`/public/file/${shown.uiToken}`, `/public/folder/${link.token}`, '/', '/login?returnTo=/'],
    app: ['/', '/files', `/files/${folderId}`, '/account'],
  };
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'pipe' });
  const [errors, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (status !== 0) throw new Error(`${command[0]} ended with status ${status}: ${errors.slice(-2_000)}`);
}

function print(path: string, { categories, audits }: Report): void {
  const scores = Object.values(categories).map(({ id, score }) => `${id} ${Math.round((score ?? 0) * 100)}`);
  process.stdout.write(`${path.padEnd(20).slice(0, 20)}  ${scores.join(', ')}\n`);
  const counted = new Set(
    Object.values(categories).flatMap(({ auditRefs }) =>
      auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  );
  for (const { id, title, score, displayValue = '', details } of Object.values(audits)) {
    if (!counted.has(id) || score === null || score >= SHOWN_BELOW) continue;
    process.stdout.write(`    ${id}: ${title} ${displayValue}\n`);
    for (const { description } of details?.items ?? [])
      if (description) process.stdout.write(`        ${description}\n`);
  }
}

const [, , given, only = ''] = process.argv;
await using resources = new AsyncDisposableStack();
const directory = mkdtempSync(join(tmpdir(), 'posthouse-lighthouse-'));
resources.defer(() => rmSync(directory, { recursive: true, force: true }));
const packages = given ?? directory;
await run(['npm', 'install', '--prefix', packages, '--no-save', '--no-audit', '--no-fund', VERSION]);
const posthouse = await startProcess({
  POSTHOUSE_DATA_DIR: join(directory, 'data'),
  POSTHOUSE_LOG_LEVEL: 'silent',
});
resources.defer(async () => void (await posthouse.stop()));
const port = await freePort();
const browser = await launchChromium([`--remote-debugging-port=${port}`]);
resources.defer(() => browser.close());
const output = join(directory, 'report.json');
async function examine(path: string): Promise<void> {
  if (!path.includes(only)) return;
  await run([
    join(packages, 'node_modules/.bin/lighthouse'),
    posthouse.url + path,
    `--port=${port}`,
    '--output=json',
    `--output-path=${output}`,
    '--only-categories=performance,accessibility,best-practices',
  ]);
  print(path, (await Bun.file(output).json()) as Report);
}

const { visitors, app, cookie } = await pagesOf(posthouse);
for (const path of visitors) await examine(path);
// Lighthouse opens its pages in the window of the browser itself, which keeps the cookies.
const protocol = await browser.newBrowserCDPSession();
await protocol.send('Storage.setCookies', { cookies: cookiesOf(cookie, posthouse.url) });
process.stdout.write('Signed in:\n');
for (const path of app) await examine(path);
