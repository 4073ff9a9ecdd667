import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freshDirectory, freshSettings } from '../harness/backends.ts';
import { filesOf, type Metadata } from '../harness/files.ts';
import { freePort } from '../harness/peers.ts';
import { addPerson, type PosthouseProcess, startProcess } from '../harness/posthouse.ts';
import { until } from '../harness/until.ts';
import { openApp, type Seat } from '../harness/web.ts';

const MEGABYTE = 1_048_576;

describe('uploads in the web app', () => {
  let settings: Record<string, string>;
  let posthouse: PosthouseProcess;
  let files: ReturnType<typeof filesOf>;
  let seat: Seat;
  let page: Page;
  beforeEach(async () => {
    settings = { ...(await freshSettings('sqlite+local')), PORT: String(await freePort()) };
    posthouse = await startProcess(settings);
    const { email, headers } = await addPerson(settings, 'ada@example.org');
    files = filesOf(posthouse, headers);
    seat = await openApp(posthouse, email, '/files');
    page = seat.page;
    await page.getByText('This folder is empty').waitFor();
  });
  afterEach(async () => {
    await seat.leave();
    await posthouse.stop();
  });

  /** Creates a file without repeated blocks; returns its path and SHA-256. */
  function bigFile(name: string, megabytes: number): { path: string; sha256: string } {
    const path = join(freshDirectory(), name);
    const bytes = Buffer.alloc(megabytes * MEGABYTE);
    for (let place = 0; place < bytes.length; place += 4096) bytes.writeUInt32LE(place ^ 0x5bd1e995, place);
    writeFileSync(path, bytes);
    return { path, sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') };
  }

  const stored = () => files.read<Metadata[]>('/api/storage/files/root');
  const progress = (name: string) => page.getByRole('progressbar', { name: `Progress of ${name}` });
  const sent = async (name: string) => Number(await progress(name).getAttribute('aria-valuenow'));
  /** Limits the upload bandwidth of the browser, so that a test can interrupt an upload. */
  const slowDown = async (bytesPerSecond: number) => {
    const protocol = await seat.context.newCDPSession(page);
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  };
  /** Whether the server supports resumable uploads; otherwise the file is sent again from the start. */
  const supportsResumable = async () =>
    (await posthouse.fetch('/api/storage/uploads', { method: 'OPTIONS' })).headers.has('Tus-Version');
  /** Returns a function that reports whether an upload was resumed since this call. */
  const watchResuming = () => {
    let resumed = false;
    page.on('response', (answer) => {
      if (answer.request().method() === 'HEAD' && Number(answer.headers()['upload-offset']) > 0)
        resumed = true;
    });
    return () => resumed;
  };
  const untilSent = async (name: string, percent: number) => {
    await progress(name).waitFor();
    while ((await sent(name)) < percent) await page.waitForEvent('request', { timeout: 100 }).catch(() => {});
  };

  test('an upload of 150 MB resumes automatically after a server restart', async () => {
    const { path, sha256 } = bigFile('film.bin', 150);
    await slowDown(60 * MEGABYTE);
    await page.getByTestId('files').setInputFiles(path);
    // Enough that a server that is killed has stored a part of it.
    await untilSent('film.bin', 50);
    await posthouse.kill();
    await page.getByText('The server does not respond').waitFor();
    const resumed = watchResuming();
    posthouse = await startProcess(settings);
    await page.getByText('1 uploaded').waitFor();
    expect(resumed()).toBe(await supportsResumable());
    expect(await stored()).toMatchObject([{ originalName: 'film.bin', sizeBytes: 150 * MEGABYTE, sha256 }]);
  });

  test('an upload resumes automatically after a page reload', async () => {
    const { path, sha256 } = bigFile('archive.bin', 24);
    await slowDown(8 * MEGABYTE);
    await page.getByTestId('files').setInputFiles(path);
    await untilSent('archive.bin', 25);
    const resumed = watchResuming();
    await page.reload();
    await page.getByText('1 uploaded').waitFor();
    expect(resumed()).toBe(await supportsResumable());
    expect(await stored()).toMatchObject([{ originalName: 'archive.bin', sha256 }]);
  });

  test('uploads are paused, resumed and cancelled one by one', async () => {
    const [kept, dropped] = [bigFile('kept.bin', 16), bigFile('dropped.bin', 16)];
    await slowDown(8 * MEGABYTE);
    await page.getByTestId('files').setInputFiles([kept.path, dropped.path]);
    await untilSent('kept.bin', 10);
    await untilSent('dropped.bin', 5);
    await page.getByRole('button', { name: 'Pause kept.bin' }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Cancel dropped.bin' }).click();
    await page.getByText('1 file was not uploaded').waitFor();
    expect(await stored()).toEqual([]);
    // The cancelled upload does not count.
    const total = Number(
      await page.getByRole('progressbar', { name: 'Progress of all uploads' }).getAttribute('aria-valuenow'),
    );
    expect(total).toBeCloseTo(await sent('kept.bin'), 0);
    await page.getByRole('button', { name: 'Resume kept.bin' }).click();
    await page.getByText('1 uploaded').waitFor();
    expect(await stored()).toMatchObject([{ originalName: 'kept.bin', sha256: kept.sha256 }]);
    // The page does not wait until the server has released the space of the cancelled upload.
    await until(async () => (await files.usedBytes()) === 16 * MEGABYTE);
  });

  test('a file that is too large is refused with the limit before it is sent, and can be retried', async () => {
    await posthouse.stop();
    posthouse = await startProcess({ ...settings, POSTHOUSE_MAX_FILE_BYTES: String(5 * MEGABYTE) });
    const names: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') names.push(request.headers()['upload-length'] ?? null);
    });
    await page
      .getByTestId('files')
      .setInputFiles([bigFile('large.bin', 6).path, bigFile('small.bin', 1).path]);
    await page.getByText('1 file was not uploaded').waitFor();
    const panel = page.getByRole('region', { name: 'Uploads' });
    await panel.getByText('6 MiB exceeds the limit of 5 MiB.').waitFor();
    expect(names).toEqual([null]);
    expect((await stored()).map(({ originalName }) => originalName)).toEqual(['small.bin']);
    await posthouse.stop();
    posthouse = await startProcess(settings);
    await page.getByRole('button', { name: 'Retry large.bin' }).click();
    await page.getByText('2 uploaded').waitFor();
    expect((await stored()).map(({ originalName }) => originalName)).toEqual(['large.bin', 'small.bin']);
  });

  test('an upload that is refused for a time says why, and continues', async () => {
    const problem = { code: 'rate_limited', detail: 'Too many requests for now.' };
    let isFirst = true;
    await page.route(
      (url) => url.pathname.startsWith('/api/storage/files/'),
      async (route) => {
        const isUpload = route.request().method() === 'POST';
        if (!isUpload || !isFirst) return await route.continue();
        isFirst = false;
        await route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: problem });
      },
    );
    await page
      .getByTestId('files')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await page.getByText(problem.detail).waitFor();
    await page.getByText('1 uploaded').waitFor();
  });

  test('a failed upload is not offered again after a reload', async () => {
    await posthouse.stop();
    posthouse = await startProcess({ ...settings, POSTHOUSE_MAX_FILE_BYTES: String(5 * MEGABYTE) });
    await page.getByTestId('files').setInputFiles(bigFile('large.bin', 6).path);
    await page.getByText('1 file was not uploaded').waitFor();
    await page.reload();
    await page.getByText('This folder is empty').waitFor();
    await page.getByTestId('files').setInputFiles(bigFile('small.bin', 1).path);
    await page.getByText('1 uploaded').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
  });
});
