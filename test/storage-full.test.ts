import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freshDirectory } from './harness/backends.ts';
import { readEvents } from './harness/events.ts';
import { filesOf } from './harness/files.ts';
import { postJson } from './harness/json.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import {
  addPerson,
  addToken,
  openSession,
  type Posthouse,
  spawnCommand,
  startPosthouse,
} from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { metadata, tusOf, UPLOADS } from './harness/tus.ts';
import { until } from './harness/until.ts';

const MB = 1_048_576;
const DISK = 24 * MB;

/** Mounts a small file system; null = this user may not. */
function mountSmallDisk(): string | null {
  const directory = freshDirectory();
  const { success } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'none', directory], {
    stderr: 'ignore',
  });
  return success ? directory : null;
}

/** Fills a file system but for `left` bytes. */
function fill(directory: string, left = 0): void {
  const ballast = join(directory, 'ballast');
  rmSync(ballast, { force: true });
  const { bavail, bsize } = statfsSync(directory);
  try {
    writeFileSync(ballast, new Uint8Array(bavail * bsize - left));
  } catch (error) {
    // A server has written in the meantime; the disk is full anyway.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const disk = process.getuid?.() === 0 ? mountSmallDisk() : null;

describe.skipIf(disk === null)('a full disk (skipped where tmpfs cannot be mounted: needs root)', () => {
  const directory = disk ?? '';
  const ballast = join(directory, 'ballast');
  let posthouse: Posthouse;
  let headers: Record<string, string>;
  let session: Record<string, string>;
  let newToken: Record<string, string>;

  beforeAll(async () => {
    const dataDir = join(directory, 'data');
    mkdirSync(dataDir);
    const settings = { POSTHOUSE_DATA_DIR: dataDir };
    posthouse = await startPosthouse(settings);
    ({ headers } = await addPerson(settings, 'ada@example.org'));
    ({ headers: session } = await openSession(posthouse, 'ada@example.org'));
    ({ headers: newToken } = await addToken(settings, 'ada@example.org'));
  });
  afterAll(async () => {
    await posthouse?.stop();
    Bun.spawnSync(['umount', '--lazy', directory]);
  });

  const FULL = [507, 'storage_full'];

  test('refuses a body that declares more than is free, before it is read', async () => {
    const { hostname, port } = new URL(posthouse.url);
    for (const [request, type, more] of [
      ['POST /api/storage/files/root', MULTIPART_TYPE, ''],
      [
        `POST ${UPLOADS}`,
        'application/offset+octet-stream',
        `Tus-Resumable: 1.0.0\r\nUpload-Length: ${2 * DISK}\r\nUpload-Metadata: ${metadata({ filename: 'a.bin' })}\r\n`,
      ],
    ] as const) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(
        `${request} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${2 * DISK}\r\n${more}${Object.entries(
          headers,
        )
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toStartWith('HTTP/1.1 507 ');
      socket.destroy();
    }
  });

  test('refuses uploads that fill it with 507, is not ready, and recovers with nothing left behind', async () => {
    const files = filesOf(posthouse, headers);
    const tus = tusOf(posthouse, headers);
    const ready = async () => (await posthouse.fetch('/readyz')).status;
    const path = await tus.begin(2 * MB);
    expect(await ready()).toBe(200);
    const kept = await files.upload('before');
    fill(directory, MB);
    const body = multipart([{ name: 'file', value: new Uint8Array(3 * MB), fileName: 'a.bin' }]);
    const upload = () =>
      posthouse.fetch('/api/storage/files/root', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': MULTIPART_TYPE },
        // Without a declared length.
        body: new Blob([body]).stream(),
      });
    expect(await refusal(upload())).toEqual(FULL);
    fill(directory);
    const chunk = new Uint8Array(2 * MB);
    expect(await refusal(tus.patch(path, 0, new Blob([chunk]).stream()))).toEqual(FULL);
    await until(async () => (await ready()) === 503);
    const listing = await posthouse.fetch('/api/storage/files/root', { headers });
    expect(((await listing.json()) as { id: string }[]).map(({ id }) => id)).toEqual([kept.id]);
    expect(posthouse.output()).not.toContain('cannot rollback');

    rmSync(ballast);
    await until(async () => (await ready()) === 200);
    expect((await upload()).status).toBe(201);
    expect((await tus.patch(path, 0, chunk)).status).toBe(204);
  });

  test('refuses writes to the database with 507, with the cause in the log', async () => {
    fill(directory);
    const create = (index: number) =>
      postJson(posthouse, '/api/storage/folders', { name: `${index} ${'x'.repeat(200)}` }, headers);
    let index = 0;
    // The log of the database has free pages at first.
    const refused = await until(async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => create(index++)));
      return answers.find(({ status }) => status !== 201);
    });
    expect(await refusal(refused)).toEqual(FULL);
    expect(posthouse.output()).toMatch(/"code":"SQLITE_(?:FULL|IOERR_SHMSIZE)"/);
    expect(posthouse.output()).not.toContain('cannot rollback');
    // Reads would record the first use of a token, and the language of a browser.
    for (const headers of [newToken, { ...session, 'Accept-Language': 'de' }])
      expect((await posthouse.fetch('/api/me', { headers })).status).toBe(200);
    // They would take a hold and a slot.
    const exported = await posthouse.fetch('/api/storage/export/root', { headers });
    expect([exported.status, (await exported.bytes()).length > 0]).toEqual([200, true]);
    const streams = await Promise.all(Array.from({ length: 11 }, () => readEvents(posthouse, headers)));
    expect(streams.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
    for (const stream of streams) stream.close();
    rmSync(ballast);
    expect((await create(index)).status).toBe(201);
  });
});

test.skipIf(disk === null)(
  'a server that starts on a full disk reports it in one sentence, and starts once there is room (skipped where tmpfs cannot be mounted: needs root)',
  async () => {
    const directory = mountSmallDisk() ?? '';
    const ballast = join(directory, 'ballast');
    const settings = { POSTHOUSE_DATA_DIR: join(directory, 'data'), PORT: '0' };
    try {
      // With 40 KB, SQLite lacks space for the index of its log.
      for (const left of [0, 4_096, 40_960, 409_600]) {
        rmSync(settings.POSTHOUSE_DATA_DIR, { recursive: true, force: true });
        fill(directory, left);
        const { status, stderr } = await spawnCommand(settings, 'serve');
        expect(stderr).toMatch(/^posthouse: The disk is full \(.+\): make room [^\n]+\n$/);
        expect(status).toBe(1);
        rmSync(ballast);
      }
      const posthouse = await startPosthouse(settings);
      expect((await posthouse.fetch('/readyz')).status).toBe(200);
      await posthouse.stop();
    } finally {
      Bun.spawnSync(['umount', '--lazy', directory]);
    }
  },
);

test.skipIf(disk === null)(
  'a read-only data directory is reported in one sentence, and the server does not start (skipped where tmpfs cannot be mounted: needs root)',
  async () => {
    const directory = freshDirectory();
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'ro', 'none', directory]);
    try {
      const settings = { POSTHOUSE_DATA_DIR: directory, PORT: '0' };
      const { status, stderr } = await spawnCommand(settings, 'serve');
      expect(status).toBe(1);
      expect(stderr).toMatch(
        /^posthouse: Cannot write to POSTHOUSE_DATA_DIR .*: give this user write access \(EROFS.+\)\n$/,
      );
    } finally {
      Bun.spawnSync(['umount', '--lazy', directory]);
    }
  },
);
