import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openAt } from './harness/database.ts';
import { filesOf } from './harness/files.ts';
import { picture, renditionOf } from './harness/pictures.ts';
import { addPerson, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';
import { tusOf } from './harness/tus.ts';

interface Counts {
  files: number;
  missing: number;
  corrupt: number;
  orphaned: number;
}

/** Direct access to the blob store, to damage blobs. */
function storeOf(settings: Record<string, string>) {
  const url = settings.POSTHOUSE_S3_URL;
  if (url === undefined) {
    const directory = join(settings.POSTHOUSE_DATA_DIR ?? '', 'blobs');
    const paths = () =>
      readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /^[0-9a-f]{2}\/./.test(path),
      );
    const pathOf = async (text: string) =>
      join(directory, paths().find((path) => readFileSync(join(directory, path), 'utf8') === text) ?? '');
    return {
      remove: async (text: string) => rmSync(await pathOf(text)),
      overwrite: async (text: string, other: string) => writeFileSync(await pathOf(text), other),
      add: async (text: string) => {
        const path = join(directory, '00', '00000000-0000-7000-8000-000000000000');
        mkdirSync(join(directory, '00'), { recursive: true });
        writeFileSync(path, text);
        utimesSync(path, new Date(0), new Date(0));
      },
      count: async () => paths().length,
    };
  }
  const client = new Bun.S3Client({
    bucket: new URL(url).host,
    endpoint: new URL(url).searchParams.get('endpoint') ?? '',
    region: 'us-east-1',
    accessKeyId: settings.AWS_ACCESS_KEY_ID,
    secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
  });
  const keys = async () => ((await client.list({ prefix: 'blobs/' })).contents ?? []).map(({ key }) => key);
  const keyOf = async (text: string) => {
    for (const key of await keys()) if ((await client.file(key).text()) === text) return key;
    throw new Error(`no object holds ${text}`);
  };
  return {
    remove: async (text: string) => client.delete(await keyOf(text)),
    overwrite: async (text: string, other: string) => void (await client.write(await keyOf(text), other)),
    add: async (text: string) =>
      void (await client.write('blobs/00000000-0000-7000-8000-000000000000', text)),
    count: async () => (await keys()).length,
  };
}

describe.each(BACKENDS)('posthouse check on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let store: ReturnType<typeof storeOf>;
  beforeAll(async () => {
    settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, (await addPerson(settings, 'ada@example.org')).headers);
    store = storeOf(settings);
  });
  afterAll(() => posthouse.stop());

  const check = async (...words: string[]) => {
    const { status, stdout } = await runCommand(settings, 'check', '--json', ...words);
    expect(stdout.trimEnd()).not.toContain('\n');
    return { status, ...(JSON.parse(stdout) as Counts) };
  };

  test('finds damaged files and unreferenced blobs, and repairs', async () => {
    const sound = await files.upload('sound');
    const gone = await files.upload('gone!');
    const other = await files.upload('other');
    await files.upload('');
    const trashed = await files.upload('trash');
    await files.remove(trashed.id);
    expect(await check()).toEqual({ status: 0, files: 4, missing: 0, corrupt: 0, orphaned: 0 });

    await store.add('stray');
    expect(await check()).toEqual({ status: 0, files: 4, missing: 0, corrupt: 0, orphaned: 1 });

    await store.remove('gone!');
    await store.overwrite('other', 'OTHER');
    expect(await check()).toEqual({ status: 1, files: 4, missing: 1, corrupt: 1, orphaned: 1 });
    expect(await check('--repair')).toEqual({ status: 1, files: 4, missing: 1, corrupt: 1, orphaned: 1 });

    // The age of an S3 object cannot be changed, and a new one may be about to get its row.
    const orphaned = backend === 'sqlite+local' ? 0 : 1;
    expect(await check()).toEqual({ status: 0, files: 2, missing: 0, corrupt: 0, orphaned });
    expect(await store.count()).toBe(4 + orphaned);
    expect(await (await files.get('/api/storage/usage')).json()).toMatchObject({ usedBytes: 5 });
    const trash = await files.read<{ id: string }[]>('/api/storage/trash');
    expect(new Set(trash.map(({ id }) => id))).toEqual(new Set([trashed.id, gone.id, other.id]));
    expect(await (await files.get(`/api/storage/files/${sound.id}/content`)).text()).toBe('sound');
  });

  test('a whole file is not downloaded when S3 sends other bytes than were stored', async () => {
    const { id } = await files.upload('as stored');
    await store.overwrite('as stored', 'AS STORED');
    const statusOf = async (range = {}) => {
      const headers = { ...files.headers, ...range };
      return (await posthouse.fetch(`/api/storage/files/${id}/content`, { headers })).status;
    };
    // The bytes of a disk are trusted, and a range cannot be checked; a blob that is read again is kept in memory.
    const isChecked = backend === 'postgres+s3';
    expect(await statusOf()).toBe(isChecked ? 503 : 200);
    for (let time = 0; time < 2; time++) await statusOf({ Range: 'bytes=0-1' });
    expect(await statusOf()).toBe(isChecked ? 503 : 200);
    await files.remove(id);
  });

  test('an upload becomes a file when S3 sends the bytes that it received', async () => {
    const tus = tusOf(posthouse, files.headers);
    const upload = await tus.begin(8, { filename: 'in parts.txt' });
    await tus.patch(upload, 0, 'first');
    await store.overwrite('first', 'FIRST');
    const { status } = await tus.patch(upload, 5, 'end');
    expect(status).toBe(backend === 'postgres+s3' ? 503 : 204);
    if (backend === 'postgres+s3') {
      await store.overwrite('FIRST', 'first');
      expect((await tus.patch(upload, 8, '')).status).toBe(204);
    }
    const all = await files.read<{ id: string; originalName: string }[]>('/api/storage/files/root');
    const made = all.filter(({ originalName }) => originalName === 'in parts.txt');
    expect(made).toHaveLength(1);
    for (const { id } of made) await files.remove(id);
  });

  test('reports damage in the trash separately', async () => {
    const { id } = await files.upload('to be restored', { name: 'deleted.txt' });
    await files.remove(id);
    const before = await runCommand(settings, 'check');
    await store.remove('to be restored');
    const { status, stdout } = await runCommand(settings, 'check');
    const inTrash = (text: string) =>
      Number(/^(\d+) more in the trash or of earlier versions are damaged\.$/m.exec(text)?.[1] ?? 0);
    expect({ status, more: inTrash(stdout) - inTrash(before.stdout) }).toEqual({ status: 0, more: 1 });
  });

  test('counts the renditions of pictures', async () => {
    const { id } = await files.upload(await picture('#0a0'), { name: 'green.png' });
    await renditionOf(files, id, 'preview');
    const found = (await check('--renditions')) as object;
    expect(found).toEqual({ status: 0, pictures: 1, missing: 0, failed: 0, pending: 0 });
    await files.remove(id);
  });

  test('prints the names of damaged files', async () => {
    const { id } = await files.upload('words', { name: 'named.txt' });
    await store.remove('words');
    const { status, stdout } = await runCommand(settings, 'check');
    expect(status).toBe(1);
    expect(stdout).toContain(`missing: ${id} "named.txt"`);
    expect(stdout).toContain('3 files checked: 1 missing, 0 corrupt; ');
  });

  test('prints the ids of rows in other workspaces and of folders inside themselves', async () => {
    const { id } = await files.upload('far from home', { name: 'stray.txt' });
    const { headers } = await addPerson(settings, 'bob@example.org');
    const { id: other } = (await (
      await filesOf(posthouse, headers).get('/api/storage/folders/root')
    ).json()) as {
      id: string;
    };
    await openAt(
      settings.POSTHOUSE_DATABASE_URL ?? join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'),
    ).transaction(async (trx) => {
      await trx.updateTable('files').set({ folder_id: other }).where('id', '=', id).execute();
      await trx.updateTable('folders').set({ parent_id: other }).where('id', '=', other).execute();
    });
    const { stdout } = await runCommand(settings, 'check');
    expect(stdout).toContain(
      `1 (${id}) files, folders or versions are in a different workspace from their folder.`,
    );
    expect(stdout).toContain(`1 (${other}) folders are inside themselves or below such a folder.`);
  });
});
