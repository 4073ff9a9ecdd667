import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { freshBucket, freshDirectory } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { picture, thumbnailOf } from './harness/pictures.ts';
import { addPerson, type Posthouse, runCommand, startPosthouse } from './harness/posthouse.ts';

/** Another name of the server's S3 endpoint. */
const PUBLIC_HOST = 'localhost';
const BYTES = 'x'.repeat(100_000);

describe('downloads that are redirected to S3', () => {
  let settings: Record<string, string>;
  let posthouse: Posthouse;
  let ada: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  let publicOrigin: string;

  beforeAll(async () => {
    const { bucket, endpoint, accessKeyId, secretAccessKey } = await freshBucket();
    publicOrigin = `http://${PUBLIC_HOST}:${new URL(endpoint).port}`;
    const query = new URLSearchParams({ endpoint, region: 'us-east-1', public: publicOrigin });
    settings = {
      POSTHOUSE_DATA_DIR: freshDirectory(),
      POSTHOUSE_S3_URL: `s3://${bucket}?${query}`,
      POSTHOUSE_S3_REDIRECT: 'true',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    };
    posthouse = await startPosthouse(settings);
    ada = await addPerson(settings, 'ada@example.org');
    files = filesOf(posthouse, ada.headers);
  });
  afterAll(() => posthouse.stop());

  const contentOf = ({ id }: Metadata) => `/api/storage/files/${id}/content`;
  const directOf = ({ directToken }: Metadata) => `/api/storage/public/media/${directToken}`;
  const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    posthouse.fetch(path, { method, headers, redirect: 'manual' });
  const shared = async (change: object = {}, name = 'a.bin') => {
    const { id } = await files.upload(BYTES, { name });
    return await files.change(id, { visibility: 1, ...change });
  };
  const locationOf = (answer: Response) => new URL(answer.headers.get('Location') ?? '');

  test('the bytes of files, versions and links', async () => {
    const file = await shared({ accessKey: '' });
    const link = (await (await files.post('/api/storage/links', { fileIds: [file.id] })).json()) as {
      token: string;
    };
    await files.replace(file.id, 'new', 'a.bin');
    const path = `/api/storage/files/${file.id}`;
    const [version] = await files.read<{ id: string }[]>(`${path}/versions`);
    for (const [place, headers, bytes] of [
      [contentOf(file), ada.headers, 'new'],
      [`${path}/versions/${version?.id}/content`, ada.headers, BYTES],
      [directOf(file), {}, 'new'],
      [`/public/media/${file.uiToken}`, {}, 'new'],
      [`/public/folder/${link.token}/file/${file.id}`, {}, 'new'],
    ] as const) {
      const answer = await request(place, headers);
      expect([place, answer.status]).toEqual([place, 302]);
      expect(answer.headers.get('Cache-Control')).toBe('no-store');
      expect(locationOf(answer).origin).toBe(publicOrigin);
      expect(await (await fetch(locationOf(answer))).text()).toBe(bytes);
      // A client that follows sends its credentials to this server only.
      expect(await (await posthouse.fetch(place, { headers, redirect: 'follow' })).text()).toBe(bytes);
    }
  });

  test('types that run script stay attachments, with their names', async () => {
    const file = await shared({}, 'a+b “ü” 1.html');
    const direct = await request(directOf(file), {}, 'HEAD');
    for (const query of ['', '?inline=1']) {
      const answer = await fetch(locationOf(await request(directOf(file) + query)));
      for (const name of ['Content-Type', 'Content-Disposition', 'Content-Length'])
        expect(answer.headers.get(name)).toBe(direct.headers.get(name));
      expect(answer.headers.get('Content-Disposition')).toStartWith('attachment');
    }
  });

  test('ranges are those of S3, and conditions on its state reach it', async () => {
    const file = await shared();
    const headers = { Range: 'bytes=10-19' };
    const location = locationOf(await request(directOf(file), headers));
    const part = await fetch(location, { headers });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, 'bytes 10-19/100000']);
    const resumed = { ...headers, 'If-Range': part.headers.get('ETag') ?? '' };
    expect((await request(directOf(file), resumed)).status).toBe(302);
    const unsatisfiable = await request(directOf(file), { Range: 'bytes=100000-' });
    expect(unsatisfiable.status).toBe(416);
  });

  test('refused requests, and those that need no bytes, get the same responses as without redirects', async () => {
    const file = await shared({ filePassword: 'secret', maxDownloads: 1 });
    const path = directOf(file);
    expect((await request(path)).status).toBe(403);
    const password = { 'X-File-Password': 'secret' };
    const head = await request(path, password, 'HEAD');
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '100000']);
    const etag = head.headers.get('ETag') ?? '';
    expect((await request(path, { ...password, 'If-None-Match': etag })).status).toBe(304);
    // None of these was a download.
    const first = { ...password, 'User-Agent': 'first' };
    const answer = await request(path, first);
    expect(answer.status).toBe(302);
    expect((await fetch(locationOf(answer))).headers.get('Cache-Control')).toBe('no-store');
    expect((await request(path, { ...password, 'User-Agent': 'second' })).status).toBe(410);
    expect((await request(path, first)).status).toBe(302);
    await files.remove(file.id);
    expect((await request(path, first)).status).toBe(404);
  });

  test.each([
    ['a picture in a page', { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a player', { 'Sec-Fetch-Dest': 'video', 'Sec-Fetch-Mode': 'no-cors' }],
    ['a document in a page', { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Mode': 'navigate' }],
    ['a script', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
    ['a script of an older browser', { Origin: 'https://www.example.org' }],
    ['the date of this server', { 'If-Modified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' }],
    ['the end of time', { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['any state', { 'If-Match': '*' }],
  ])('the response to %s has the bytes', async (_, headers) => {
    const answer = await request(directOf(await shared()), headers);
    expect([answer.status, (await answer.text()).length]).toEqual([200, BYTES.length]);
  });

  test('the response to a range of the state of this server has its bytes', async () => {
    const file = await shared();
    const etag = (await request(directOf(file), {}, 'HEAD')).headers.get('ETag') ?? '';
    const answer = await request(directOf(file), { Range: 'bytes=0-9', 'If-Range': etag });
    expect([answer.status, await answer.text()]).toEqual([206, 'xxxxxxxxxx']);
  });

  test.each(['document', 'empty'])('a browser that saves to %s is redirected', async (destination) => {
    const headers = { 'Sec-Fetch-Dest': destination, 'Sec-Fetch-Mode': 'navigate' };
    expect((await request(directOf(await shared()), headers)).status).toBe(302);
  });

  test('responses with thumbnails have their bytes', async () => {
    const file = await files.upload(await picture('red'), { name: 'a.png' });
    const answer = await request(await thumbnailOf(files, file.id), ada.headers);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
  });

  test('metrics count the redirects, and doctor follows one', async () => {
    const metrics = await (await posthouse.fetch('/metrics')).text();
    expect(metrics).toMatch(/^posthouse_storage_redirects_total [1-9]/m);
    const report = async (change: Record<string, string>) => {
      const { stdout } = await runCommand({ ...settings, ...change }, 'doctor', '--json');
      const { parts } = JSON.parse(stdout) as { parts: { name: string; ok: boolean; detail: string }[] };
      return parts.find(({ name }) => name === 'blobs');
    };
    expect(await report({})).toMatchObject({ ok: true });
    const wrong = settings.POSTHOUSE_S3_URL?.replace(/public=[^&]*/, 'public=http%3A%2F%2F127.0.0.1%3A1');
    expect((await report({ POSTHOUSE_S3_URL: wrong ?? '' }))?.detail).toMatch(/Check POSTHOUSE_S3_URL/);
  });
});
