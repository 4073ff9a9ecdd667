import { describe, expect, test } from 'bun:test';
import { existsSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { placeRestoredKey } from '../src/config/restored-key.ts';
import { BACKENDS, type Backend, freshDirectory, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, runCommand, runJson, startPosthouse } from './harness/posthouse.ts';
import { tusOf } from './harness/tus.ts';
import { until } from './harness/until.ts';

const other = (backend: Backend): Backend => (backend === 'sqlite+local' ? 'postgres+s3' : 'sqlite+local');

/** Settings of an empty installation without a server key. */
async function emptySettings(backend: Backend): Promise<Record<string, string>> {
  const { POSTHOUSE_SECRET: _, ...settings } = await freshSettings(backend);
  return { ...settings, POSTHOUSE_DATA_DIR: join(freshDirectory(), 'data') };
}

describe.each(BACKENDS)('a backup of a running server on %s', (backend) => {
  test(`is restored on ${other(backend)} with its key, secrets and links`, async () => {
    const posthouse = await startPosthouse(await freshSettings(backend));
    const person = await addPerson(posthouse.settings, 'owner@example.org');
    const files = filesOf(posthouse, person.headers);
    const large = crypto.getRandomValues(new Uint8Array(65_536));
    const secret = await files.change(
      (await files.upload('for friends', { name: 'Überraschung 🎁.txt' })).id,
      {
        visibility: 1,
        accessKey: true,
        filePassword: 'open sesame',
      },
    );
    const plain = await files.change((await files.upload(large, { name: 'large.bin' })).id, {
      visibility: 1,
    });
    const gone = await files.upload('in the bin');
    await files.remove(gone.id);
    const call = jsonOf(posthouse, person);
    const { id: folderId } = (await call('POST', '/api/storage/folders', { name: 'Inbox' })).body;
    const wanted = { access: 'both', password: 'open sesame', maxFiles: 2 };
    const link = (await call<{ token: string }>('POST', '/api/storage/links', { folderId, ...wanted })).body;
    const visitor = (server: typeof posthouse) =>
      tusOf(server, { 'X-File-Password': 'open sesame' }, `/public/folder/${link.token}/uploads`);
    await visitor(posthouse).createWith(3, 'one');

    // Other requests continue in the meantime.
    const directory = join(freshDirectory(), 'backup');
    const [counts] = await Promise.all([
      runJson<{ files: number; bytes: number }>(posthouse.settings, 'backup', directory),
      ...Array.from({ length: 5 }, (_, index) =>
        files.upload(`meanwhile ${index}`, { name: `meanwhile ${index}.txt` }),
      ),
    ]);
    expect(counts.files).toBeGreaterThanOrEqual(3);
    expect(counts.bytes).toBeGreaterThanOrEqual(65_536 + 'for friends'.length + 'in the bin'.length);
    await posthouse.stop();

    const settings = await emptySettings(other(backend));
    expect(await runJson<object>(settings, 'restore', directory)).toEqual(counts);
    const restored = await startPosthouse(settings);
    const again = filesOf(restored, person.headers);
    expect(await (await restored.fetch('/api/me', { headers: person.headers })).json()).toMatchObject({
      id: person.id,
      email: 'owner@example.org',
    });
    const metadata = await again.metadata(secret.id);
    expect(metadata).toMatchObject({
      originalName: 'Überraschung 🎁.txt',
      accessKeyPlain: secret.accessKeyPlain ?? '',
      directToken: secret.directToken,
    });
    const key = `accessKey=${secret.accessKeyPlain}&filePassword=open+sesame`;
    expect(
      await (await restored.fetch(`/api/storage/public/media/${secret.directToken}?${key}`)).text(),
    ).toBe('for friends');
    expect((await restored.fetch(`/api/storage/public/media/${secret.directToken}`)).status).toBe(403);
    expect(
      Buffer.from(
        await (await restored.fetch(`/api/storage/public/media/${plain.directToken}`)).arrayBuffer(),
      ).equals(large),
    ).toBe(true);
    expect((await again.post(`/api/storage/files/${gone.id}/restore`)).status).toBe(200);
    expect(await (await again.get(`/api/storage/files/${gone.id}/content`)).text()).toBe('in the bin');
    const shared = await restored.fetch(`/api/storage/public/folder/${link.token}?filePassword=open+sesame`);
    expect(await shared.json()).toMatchObject({ access: 'both', files: [{ name: 'a.bin', sizeBytes: 3 }] });
    expect((await visitor(restored).createWith(3, 'two')).status).toBe(201);
    expect((await visitor(restored).create(3)).status).toBe(410);
    // Every listed file exists, and the usage is their sum.
    const listed = await again.read<{ id: string; sizeBytes: number }[]>('/api/storage/files/root');
    for (const { id, sizeBytes } of listed)
      expect((await (await again.get(`/api/storage/files/${id}/content`)).arrayBuffer()).byteLength).toBe(
        sizeBytes,
      );
    const sentBytes = 2 * 3;
    expect(await again.usedBytes()).toBe(listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, sentBytes));
    expect(await restored.stop()).toBe(0);
  });
});

describe('the commands backup and restore', () => {
  const made = async (...flags: string[]) => {
    const settings = await freshSettings('sqlite+local');
    await addPerson(settings, 'owner@example.org');
    const directory = join(freshDirectory(), 'backup');
    await runJson(settings, 'backup', directory, ...flags);
    return { settings, directory };
  };

  test('restore rejects a database that is not empty', async () => {
    const { settings, directory } = await made();
    const { status, stdout, stderr } = await runCommand(settings, 'restore', directory);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('not empty');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const json = await runCommand(settings, 'restore', directory, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ error: { code: 'conflict', detail: stderr.trim() } });
  });

  test('backup rejects an existing directory', async () => {
    const { settings, directory } = await made();
    const { status, stderr } = await runCommand(settings, 'backup', directory);
    expect(status).toBe(1);
    expect(stderr).toContain('already exists');
  });

  test('a backup without its key requires the key from another source', async () => {
    const { settings, directory } = await made('--without-key');
    expect(existsSync(join(directory, 'secret.key'))).toBe(false);
    const target = await emptySettings('sqlite+local');
    const without = await runCommand(target, 'restore', directory);
    expect(without.status).toBe(1);
    expect(without.stderr).toContain('has no server key');
    const wrong = await runCommand(
      { ...target, POSTHOUSE_SECRET: 'another key, of more than 32 characters' },
      'restore',
      directory,
    );
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toContain('is not the server key of this backup');
    await runCommand(target, 'user', 'list');
    rmSync(target.POSTHOUSE_DATA_DIR ?? '', { recursive: true });
    await Bun.write(
      join(target.POSTHOUSE_DATA_DIR ?? '', 'secret.key'),
      Bun.file(join(settings.POSTHOUSE_DATA_DIR ?? '', 'secret.key')),
    );
    expect((await runCommand(target, 'restore', directory)).status).toBe(0);
  });

  /** Writes a backup with one file before the server key is rotated twice, and a damaged one afterwards. */
  const madeBeforeAndAfterRotations = async () => {
    const posthouse = await startPosthouse(await freshSettings('sqlite+local'));
    const { settings } = posthouse;
    const { headers } = await addPerson(settings, 'owner@example.org');
    await filesOf(posthouse, headers).upload('some bytes');
    await posthouse.stop();
    const [older, newest] = [join(freshDirectory(), 'backup'), join(freshDirectory(), 'backup')];
    await runJson(settings, 'backup', older);
    for (let times = 0; times < 2; times++) await runJson(settings, 'key', 'rotate');
    await runJson(settings, 'backup', newest);
    for (const path of new Bun.Glob('blobs/*/*').scanSync(newest)) rmSync(join(newest, path));
    return { older, newest };
  };

  test('after a failed restore, a backup with another key is restored into the same directory', async () => {
    const { older, newest } = await madeBeforeAndAfterRotations();
    const target = await emptySettings('sqlite+local');
    const { status, stderr } = await runCommand(target, 'restore', newest);
    expect([status, stderr]).toEqual([1, expect.stringContaining('the backup may be incomplete')]);
    const dataDir = target.POSTHOUSE_DATA_DIR ?? '';
    expect(readdirSync(dataDir).filter((name) => name.startsWith('secret.key'))).toEqual([]);
    expect((await runJson<{ files: number }>(target, 'restore', older)).files).toBe(1);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('secret.key'))).toEqual(['secret.key']);
  });

  test('after a killed restore, a backup with another key is restored into the same directory', async () => {
    const { older, newest } = await madeBeforeAndAfterRotations();
    const target = await emptySettings('sqlite+local');
    const dataDir = target.POSTHOUSE_DATA_DIR ?? '';
    const keyOf = (directory: string) => readFileSync(join(directory, 'secret.key'), 'utf8');
    placeRestoredKey(dataDir, keyOf(newest));
    await runJson(target, 'restore', older);
    expect(keyOf(dataDir)).toBe(keyOf(older));

    // As after a kill between the commit and the end: the restored rows need the key.
    linkSync(join(dataDir, 'secret.key'), join(dataDir, 'secret.key.restoring'));
    expect((await runCommand(target, 'restore', newest)).stderr).toContain('not empty');
    expect(keyOf(dataDir)).toBe(keyOf(older));
    await runJson(target, 'user', 'list');
    expect(existsSync(join(dataDir, 'secret.key.restoring'))).toBe(false);
  });

  test('a failed restore leaves a key file that it has not created', async () => {
    const { older, newest } = await madeBeforeAndAfterRotations();
    const target = await emptySettings('sqlite+local');
    const file = join(target.POSTHOUSE_DATA_DIR ?? '', 'secret.key');
    await Bun.write(file, Bun.file(join(newest, 'secret.key')));
    expect((await runCommand(target, 'restore', newest)).stderr).toContain('the backup may be incomplete');
    expect((await runCommand(target, 'restore', older)).stderr).toContain('is not the server key');
    expect(await Bun.file(file).text()).toBe(await Bun.file(join(newest, 'secret.key')).text());
  });

  test('restore reports a directory that is not a backup', async () => {
    const { status, stderr } = await runCommand(
      await emptySettings('sqlite+local'),
      'restore',
      freshDirectory(),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('the backup may be incomplete');
  });

  test('restore refuses the data directory of a running server', async () => {
    const { directory } = await made();
    const target = await emptySettings('sqlite+local');
    const posthouse = await startPosthouse(target);
    const { status, stderr } = await runCommand(target, 'restore', directory);
    expect(status).toBe(1);
    expect(stderr).toStartWith('A Posthouse server is running with the data directory ');
    await posthouse.stop();
  });

  test('a killed backup leaves nothing under its name, and the next one succeeds', async () => {
    const { settings } = await made();
    const parent = freshDirectory();
    const main = join(import.meta.dir, '../src/main.ts');
    const child = Bun.spawn([process.execPath, main, 'backup', join(parent, 'backup')], {
      env: { ...settings, PATH: process.env.PATH ?? '' },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await until(
      () =>
        child.exitCode !== null || readdirSync(parent).some((name) => name.startsWith('.backup.unfinished')),
    );
    child.kill('SIGKILL');
    await child.exited;
    // Killed before its end, or so late that it was complete.
    expect(existsSync(join(parent, 'backup')) === existsSync(join(parent, 'backup/manifest.json'))).toBe(
      true,
    );
    await runJson(settings, 'backup', join(parent, 'second'));
    expect(existsSync(join(parent, 'second/manifest.json'))).toBe(true);
  });
});
