import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BACKENDS, freshDirectory, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { runProgram, testWith } from './harness/programs.ts';
import { fc } from './harness/properties.ts';
import { refusal } from './harness/refusal.ts';
import { addFolderChain } from './harness/storage-rows.ts';

const CONTENTS: Record<string, string> = {
  'a.txt': 'first',
  'a (2).txt': 'second of the name',
  'Übersicht 日本.md': '# Ü',
  'empty.bin': '',
  'Bilder/2024/tief.txt': 'deep down',
  'Bilder/groß.bin': 'x'.repeat(300_000),
};

describe.each(BACKENDS)('the export of a folder on %s', (backend) => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  let folder: string;
  let whole: Buffer;
  let etag: string;

  const path = (id: string) => `/api/storage/export/${id}`;
  const get = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
    posthouse.fetch(path(id), { method, headers: { ...ann.headers, ...headers } });

  beforeAll(async () => {
    settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ann = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, ann.headers);
    folder = await files.newFolder('Ablage', 'root');
    const pictures = await files.newFolder('Bilder', folder);
    const year = await files.newFolder('2024', pictures);
    await files.newFolder('leer', folder);
    await files.upload('first', { name: 'a.txt', folder });
    await files.upload('second of the name', { name: 'a.txt', folder });
    await files.upload('# Ü', { name: 'Übersicht 日本.md', folder });
    await files.upload('', { name: 'empty.bin', folder });
    await files.upload('deep down', { name: 'tief.txt', folder: year });
    await files.upload('x'.repeat(300_000), { name: 'groß.bin', folder: pictures });
    const gone = await files.upload('deleted', { name: 'gone.txt', folder });
    await files.remove(gone.id);
    const answer = await get(folder);
    etag = answer.headers.get('ETag') ?? '';
    whole = Buffer.from(await answer.bytes());
  });
  afterAll(() => posthouse.stop());

  testWith('python3', 'finds exactly the files, with their names, bytes and checksums', async () => {
    const file = join(freshDirectory(), 'export.zip');
    await Bun.write(file, whole);
    const script = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
  print(json.dumps({'bad': z.testzip(), 'files': {i.filename: z.read(i).decode() for i in z.infolist()}}))`;
    expect(JSON.parse(await runProgram('python3', '-c', script, file))).toEqual({
      bad: null,
      files: { ...CONTENTS, 'leer/': '' },
    });
  });

  testWith('unzip', 'finds no error', async () => {
    const file = join(freshDirectory(), 'export.zip');
    await Bun.write(file, whole);
    expect(await runProgram('unzip', '-t', file)).toContain('No errors detected');
  });

  test('HEAD returns the exact length, a strong tag and a name', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get(folder, {}, method);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Length')).toBe(String(whole.length));
      expect(answer.headers.get('Transfer-Encoding')).toBeNull();
      expect(answer.headers.get('Content-Type')).toBe('application/zip');
      expect(answer.headers.get('Content-Disposition')).toBe(
        `attachment; filename="Ablage.zip"; filename*=UTF-8''Ablage.zip`,
      );
      expect(answer.headers.get('Accept-Ranges')).toBe('bytes');
      expect(answer.headers.get('ETag')).toBe(etag);
      expect(Buffer.from(await answer.bytes()).equals(method === 'GET' ? whole : Buffer.alloc(0))).toBe(true);
    }
    expect(etag).toMatch(/^"[\w-]+"$/);
  });

  test('any range equals that part of the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(whole.length + 50), async (first, more) => {
        const answer = await get(folder, { Range: `bytes=${first}-${first + more}`, 'If-Range': etag });
        const end = Math.min(first + more + 1, whole.length);
        expect(answer.status).toBe(206);
        expect(answer.headers.get('Content-Range')).toBe(`bytes ${first}-${end - 1}/${whole.length}`);
        expect(answer.headers.get('Content-Length')).toBe(String(end - first));
        expect(Buffer.from(await answer.bytes()).equals(whole.subarray(first, end))).toBe(true);
      }),
      { numRuns: 100 },
    );
    const tail = await get(folder, { Range: 'bytes=-22' });
    expect(Buffer.from(await tail.bytes()).equals(whole.subarray(-22))).toBe(true);
  });

  test('evaluates conditions and rejects unsatisfiable ranges', async () => {
    const unchanged = await get(folder, { 'If-None-Match': etag });
    expect([unchanged.status, (await unchanged.bytes()).length, unchanged.headers.get('ETag')]).toEqual([
      304,
      0,
      etag,
    ]);
    for (const ifRange of ['"another"', new Date().toUTCString()]) {
      const answer = await get(folder, { Range: 'bytes=0-9', 'If-Range': ifRange });
      expect([answer.status, (await answer.bytes()).length]).toEqual([200, whole.length]);
    }
    const outside = await get(folder, { Range: `bytes=${whole.length}-` });
    expect(outside.headers.get('Content-Range')).toBe(`bytes */${whole.length}`);
    expect(await refusal(outside)).toEqual([416, 'range_not_satisfiable']);
    expect(await refusal(get(folder, { 'If-Match': '"another"' }))).toEqual([412, 'precondition_failed']);
    const several = await get(folder, { Range: 'bytes=0-1,5-6' });
    expect([several.status, (await several.bytes()).length]).toEqual([200, whole.length]);
  });

  test('the tag and the archive change with every change of the folder', async () => {
    const id = await files.newFolder('Wechsel', 'root');
    const file = await files.upload('one', { name: 'one.txt', folder: id });
    const tags = new Set<string | null>();
    const note = async () => tags.add((await get(id, {}, 'HEAD')).headers.get('ETag'));
    await note();
    await note();
    expect(tags.size).toBe(1);
    await files.change(file.id, { originalName: 'two.txt' });
    await note();
    await files.replace(file.id, 'eno', 'two.txt');
    await note();
    await files.upload('three', { name: 'three.txt', folder: id });
    await note();
    expect(tags.size).toBe(4);
  });

  test('a folder without files returns 204', async () => {
    const empty = await files.newFolder('nichts', 'root');
    await files.newFolder('darin', empty);
    const answer = await get(empty);
    expect([answer.status, (await answer.bytes()).length]).toEqual([204, 0]);
  });

  test('a path too long for ZIP is rejected, and the folders inside are exported', async () => {
    const top = await files.newFolder('Tiefe', 'root');
    const { database } = await foundationOf(settings);
    const parent = await addFolderChain(database, top, Array(257).fill('ё'.repeat(127)));
    await files.upload('deep', { folder: parent });
    expect(await refusal(get(top))).toEqual([409, 'path_too_long']);
    const inside = await get(parent);
    expect([inside.status, (await inside.bytes()).length > 0]).toEqual([200, true]);
    const { path: way } = await files.read<{ path: { name: string }[] }>(`/api/storage/folders/${parent}`);
    expect(way).toHaveLength(259);
    expect((await files.removeFolder(top)).status).toBe(204);
  });

  test('the root can be exported', async () => {
    const answer = await get('root');
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.bytes()).includes('Ablage/Bilder/2024/tief.txt')).toBe(true);
  });

  test('requires the owner', async () => {
    expect(await refusal(posthouse.fetch(path(folder)))).toEqual([401, 'login_required']);
    const eve = await addPerson(settings, 'eve@example.org');
    expect(await refusal(posthouse.fetch(path(folder), { headers: eve.headers }))).toEqual([
      404,
      'not_found',
    ]);
    expect(await refusal(get('nonsense'))).toEqual([404, 'not_found']);
    expect(await refusal(get(crypto.randomUUID()))).toEqual([404, 'not_found']);
  });

  test('a missing blob aborts only transfers that contain it', async () => {
    const id = await files.newFolder('Lücke', 'root');
    // The response has begun when the file turns out to be missing.
    await files.upload('b'.repeat(4_000_000), { name: 'before.txt', folder: id });
    // Too large for the files that stay open for short reads.
    await files.upload('m'.repeat(223_457), { name: 'missing.bin', folder: id });
    await files.upload('after', { name: 'after.txt', folder: id });
    const intact = Buffer.from(await (await get(id)).bytes());
    await removeBlob(settings, 223_457);
    const answer = await get(id);
    expect(answer.headers.get('Content-Length')).toBe(String(intact.length));
    await expect(answer.bytes()).rejects.toThrow();
    const after = intact.indexOf('after.txt');
    const range = await get(id, { Range: `bytes=${after}-` });
    expect(Buffer.from(await range.bytes()).equals(intact.subarray(after))).toBe(true);
    expect(posthouse.output()).toContain('a streamed response failed');
  });
});

/** Deletes the blob of this size from the store. */
async function removeBlob(settings: Record<string, string>, size: number): Promise<void> {
  if (!settings.POSTHOUSE_S3_URL) {
    const directory = join(settings.POSTHOUSE_DATA_DIR ?? '', 'blobs');
    const found = [...new Bun.Glob('*/*').scanSync(directory)].find(
      (name) => Bun.file(join(directory, name)).size === size,
    );
    return rmSync(join(directory, found ?? ''));
  }
  const url = new URL(settings.POSTHOUSE_S3_URL);
  const client = new Bun.S3Client({
    bucket: url.host,
    endpoint: url.searchParams.get('endpoint') ?? '',
    accessKeyId: settings.AWS_ACCESS_KEY_ID,
    secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
  });
  const { contents } = await client.list({});
  await client.delete(contents?.find((object) => object.size === size)?.key ?? '');
}
