import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freshDirectory, freshSettings } from './harness/backends.ts';
import { freePort } from './harness/peers.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { openApp, type Seat } from './harness/web.ts';

const MEGABYTE = 1_048_576;

describe('uploads in the web app', () => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let person: Awaited<ReturnType<typeof addPerson>>;
  let seat: Seat;
  let page: Page;
  beforeEach(async () => {
    settings = { ...(await freshSettings('sqlite+local')), PORT: String(await freePort()) };
    posthouse = await startPosthouse(settings);
    person = await addPerson(settings, 'ada@example.org');
    seat = await openApp(posthouse, person.email, '/files');
    page = seat.page;
    await page.getByText('Nothing here yet').waitFor();
  });
  afterEach(async () => {
    await seat.leave();
    await posthouse.stop();
  });

  /** A file of so many megabytes that no two places of it are alike; gives its path and its digest. */
  function bigFile(name: string, megabytes: number): { path: string; sha256: string } {
    const path = join(freshDirectory(), name);
    const bytes = Buffer.alloc(megabytes * MEGABYTE);
    for (let place = 0; place < bytes.length; place += 4096) bytes.writeUInt32LE(place ^ 0x5bd1e995, place);
    writeFileSync(path, bytes);
    return { path, sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') };
  }

  const stored = async () =>
    (await (await posthouse.fetch('/api/storage/files/root', { headers: person.headers })).json()) as {
      originalName: string;
      sizeBytes: number;
      sha256: string;
    }[];
  const progress = (name: string) => page.getByRole('progressbar', { name: `Progress of ${name}` });
  const sent = async (name: string) => Number(await progress(name).getAttribute('aria-valuenow'));
  /** Slows the browser's uploads down, so that there is time to interfere. */
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
  /** A server without resumable uploads gets the file from its beginning again. */
  const takesResumable = async () => (await posthouse.fetch('/api/storage/uploads', { method: 'OPTIONS' })).headers.has('Tus-Version');
  /** Tells whether an upload went on behind its beginning since. */
  const watchResuming = () => {
    let resumed = false;
    page.on('response', (answer) => {
      if (answer.request().method() === 'HEAD' && Number(answer.headers()['upload-offset']) > 0) resumed = true;
    });
    return () => resumed;
  };
  const untilSent = async (name: string, percent: number) => {
    await progress(name).waitFor();
    while ((await sent(name)) < percent) await page.waitForEvent('request', { timeout: 100 }).catch(() => {});
  };

  test('150 MB go on by themselves when the server comes back', async () => {
    const { path, sha256 } = bigFile('film.bin', 150);
    await slowDown(60 * MEGABYTE);
    await page.getByTestId('files').setInputFiles(path);
    await untilSent('film.bin', 20);
    await posthouse.kill();
    await page.getByText('The server does not answer').waitFor();
    const resumed = watchResuming();
    posthouse = await startPosthouse(settings);
    await page.getByText('1 uploaded').waitFor();
    expect(resumed()).toBe(await takesResumable());
    expect(await stored()).toMatchObject([{ originalName: 'film.bin', sizeBytes: 150 * MEGABYTE, sha256 }]);
  });

  test('an upload goes on by itself after the page was loaded anew', async () => {
    const { path, sha256 } = bigFile('archive.bin', 24);
    await slowDown(8 * MEGABYTE);
    await page.getByTestId('files').setInputFiles(path);
    await untilSent('archive.bin', 25);
    const resumed = watchResuming();
    await page.reload();
    await page.getByText('1 uploaded').waitFor();
    expect(resumed()).toBe(await takesResumable());
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
    await page.getByText('1 not uploaded').waitFor();
    expect(await stored()).toEqual([]);
    // Both together, each as far as it had come.
    const total = Number(await page.getByRole('progressbar', { name: 'Progress of all uploads' }).getAttribute('aria-valuenow'));
    expect(total).toBeCloseTo(await sent('kept.bin'), 0);
    await page.getByRole('button', { name: 'Go on with kept.bin' }).click();
    await page.getByText('1 uploaded').waitFor();
    expect(await stored()).toMatchObject([{ originalName: 'kept.bin', sha256: kept.sha256 }]);
    const usage = await (await posthouse.fetch('/api/storage/usage', { headers: person.headers })).json();
    expect(usage).toMatchObject({ usedBytes: 16 * MEGABYTE });
  });

  test('a file that is too large fails with the server’s own sentence, and can be tried again', async () => {
    await posthouse.stop();
    posthouse = await startPosthouse({ ...settings, POSTHOUSE_MAX_FILE_BYTES: String(5 * MEGABYTE) });
    await page.getByTestId('files').setInputFiles([bigFile('large.bin', 6).path, bigFile('small.bin', 1).path]);
    await page.getByText('1 not uploaded').waitFor();
    await page
      .getByRole('region', { name: 'Uploads' })
      .getByText(/bytes than a file may have|bytes at most/)
      .waitFor();
    expect((await stored()).map(({ originalName }) => originalName)).toEqual(['small.bin']);
    await posthouse.stop();
    posthouse = await startPosthouse(settings);
    await page.getByRole('button', { name: 'Try large.bin again' }).click();
    await page.getByText('2 uploaded').waitFor();
    expect((await stored()).map(({ originalName }) => originalName)).toEqual(['large.bin', 'small.bin']);
  });
});
