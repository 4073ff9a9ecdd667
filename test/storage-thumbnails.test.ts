import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import sharp from 'sharp';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { pdf } from './harness/pdf.ts';
import { picture, pngBomb, renditionOf, thumbnailOf } from './harness/pictures.ts';
import {
  addPerson,
  type Posthouse,
  type PosthouseProcess,
  startPosthouse,
  startProcess,
} from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { until } from './harness/until.ts';

describe.each(BACKENDS)('thumbnails on %s', (backend) => {
  let settings: Record<string, string>;
  let first: PosthouseProcess;
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = await freshSettings(backend);
    first = await startProcess(settings);
    posthouse = first;
    ann = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, ann.headers);
  });
  afterAll(() => posthouse.stop());

  test('an upload returns the path of its thumbnail, which follows', async () => {
    const upload = await files.send('root', await picture('#ff0000'), 'red.png');
    const { Id, ThumbnailPath } = (await upload.json()) as { Id: string; ThumbnailPath: string | null };
    const path = `/api/storage/files/${Id}/thumbnail`;
    expect([upload.status, ThumbnailPath]).toEqual([201, path]);
    await thumbnailOf(files, Id);
    const answer = await files.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('image/webp');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    const bytes = await answer.bytes();
    expect(answer.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 });

    const etag = answer.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await posthouse.fetch(path, { headers: { ...ann.headers, 'If-None-Match': etag } });
    expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);
    const head = await posthouse.fetch(path, { method: 'HEAD', headers: ann.headers });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(bytes.length)]);
  });

  test('a PDF file is shown by its first page', async () => {
    const { id } = await files.upload(pdf(), { name: 'page.pdf' });
    const thumbnail = await (await files.get(await thumbnailOf(files, id))).bytes();
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 });
    const preview = await (await files.get(await renditionOf(files, id, 'preview'))).bytes();
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 2048, height: 1024 });
    expect(await files.metadata(id)).not.toHaveProperty('width');
  });

  test('a TIFF file larger than the sample has a thumbnail, a preview and its size', async () => {
    const bytes = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#00f' } })
      .tiff({ compression: 'none' })
      .toBuffer();
    const { id, mimeType } = await files.upload(new Uint8Array(bytes), { name: 'scan.tif' });
    expect(mimeType).toBe('image/tiff');
    const thumbnail = await (await files.get(await thumbnailOf(files, id))).bytes();
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 512, height: 256 });
    await renditionOf(files, id, 'preview');
    expect(await files.metadata(id)).toMatchObject({ width: 800, height: 400 });
  });

  test('requires the owner', async () => {
    const { id } = await files.upload(await picture('#00ff00'), { name: 'green.png' });
    const path = await thumbnailOf(files, id);
    expect(await refusal(posthouse.fetch(path))).toEqual([401, 'login_required']);
    const eve = await addPerson(settings, 'eve@example.org');
    expect(await refusal(filesOf(posthouse, eve.headers).get(path))).toEqual([404, 'not_found']);
    expect(await refusal(files.get('/api/storage/files/not-an-id/thumbnail'))).toEqual([404, 'not_found']);
    await files.remove(id);
    expect(await refusal(files.get(path))).toEqual([404, 'not_found']);
  });

  test('files other than pictures have none', async () => {
    const { id, thumbnailPath } = await files.upload('only words', { name: 'picture.png' });
    expect(thumbnailPath).toBeNull();
    expect(await refusal(files.get(`/api/storage/files/${id}/thumbnail`))).toEqual([404, 'no_thumbnail']);
    const svg = await files.upload(
      '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
      { name: 'a.svg' },
    );
    expect(svg.mimeType).toBe('image/svg+xml');
    expect(await refusal(files.get(`/api/storage/files/${svg.id}/thumbnail`))).toEqual([404, 'no_thumbnail']);
  });

  test('anonymous access follows the rules of the file, and does not count as a download', async () => {
    const { id, uiToken } = await files.upload(await picture('#0000ff'), { name: 'blue.png' });
    await thumbnailOf(files, id);
    const path = `/public/media/${uiToken}?thumbnail=1`;
    expect(await refusal(posthouse.fetch(path))).toEqual([404, 'not_found']);
    await files.change(id, { visibility: 1, filePassword: 'open up', maxDownloads: 1 });
    expect(await refusal(posthouse.fetch(path))).toEqual([403, 'file_password_required']);
    expect(await refusal(posthouse.fetch(path, { headers: { 'X-File-Password': 'no' } }))).toEqual([
      403,
      'file_password_wrong',
    ]);
    for (let times = 0; times < 3; times++) {
      const answer = await posthouse.fetch(path, {
        headers: { 'X-File-Password': 'open up', 'User-Agent': `visitor ${times}` },
      });
      expect([
        answer.status,
        answer.headers.get('Content-Type'),
        answer.headers.get('Cache-Control'),
      ]).toEqual([200, 'image/webp', 'no-store']);
    }
    expect((await files.metadata(id)).downloadCount).toBe(0);
    await files.change(id, { expiresAt: '2020-01-01T00:00:00Z' });
    expect(await refusal(posthouse.fetch(path, { headers: { 'X-File-Password': 'open up' } }))).toEqual([
      410,
      'link_expired',
    ]);
  });

  test('a preview follows, upright and without metadata', async () => {
    const bytes = await sharp({ create: { width: 3_000, height: 1_500, channels: 3, background: '#0a0' } })
      .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { id } = await files.upload(new Uint8Array(bytes), { name: 'garden.jpg' });
    const path = await renditionOf(files, id, 'preview');
    const answer = await files.get(path);
    const { headers } = answer;
    expect(headers.get('Content-Type')).toBe('image/webp');
    expect(headers.get('Cache-Control')).toBe('private, no-cache');
    const preview = await answer.bytes();
    const { width, height, exif, orientation } = await sharp(preview).metadata();
    expect([width, height, exif, orientation]).toEqual([1024, 2048, undefined, undefined]);
    const etag = headers.get('ETag') ?? '';
    const again = await posthouse.fetch(path, { headers: { ...ann.headers, 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    const head = await posthouse.fetch(path, { method: 'HEAD', headers: ann.headers });
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(preview.length)]);

    const copied = await files.post(`/api/storage/files/${id}/copy`, { targetFolderId: 'root' });
    const { id: copy } = (await copied.json()) as { id: string };
    await files.remove(id);
    await posthouse.fetch(`/api/storage/trash/${id}`, { method: 'DELETE', headers: ann.headers });
    expect(await (await files.get(`/api/storage/files/${copy}/preview`)).bytes()).toEqual(preview);
  });

  test('a preview counts as a download if downloads are limited', async () => {
    const { id, uiToken } = await files.upload(await picture('#0000ff'), { name: 'blue.png' });
    await renditionOf(files, id, 'preview');
    await files.change(id, { visibility: 1 });
    const link = (await (
      await files.post('/api/storage/links', { fileIds: [id], access: 'view' })
    ).json()) as {
      id: string;
      token: string;
    };
    const paths = [`/public/media/${uiToken}?preview=1`, `/public/folder/${link.token}/preview/${id}`];
    const statuses = (visitor: string) =>
      Promise.all(
        paths.map(async (path) => {
          const answer = await posthouse.fetch(path, { headers: { 'User-Agent': visitor } });
          return `${answer.status} ${answer.headers.get('Content-Type')}`;
        }),
      );
    const [shown, refused] = ['200 image/webp', '410 application/problem+json'];
    for (const visitor of ['first', 'second']) expect(await statuses(visitor)).toEqual([shown, shown]);
    expect((await files.metadata(id)).downloadCount).toBe(0);
    await files.change(id, { maxDownloads: 1 });
    await jsonOf(posthouse, ann)('PATCH', `/api/storage/links/${link.id}`, { maxDownloads: 1 });
    expect(await statuses('first')).toEqual([shown, shown]);
    expect(await statuses('first')).toEqual([shown, shown]);
    expect(await statuses('second')).toEqual([refused, refused]);
  });

  test('replaced bytes get a new thumbnail, or none', async () => {
    const { id } = await files.upload(await picture('#ff0000'), { name: 'first.png' });
    const path = await thumbnailOf(files, id);
    const first = await (await files.get(path)).bytes();
    const replace = async (content: Uint8Array<ArrayBuffer> | string, name: string) => {
      const answer = await files.replace(id, content, name);
      return (await answer.json()) as { ThumbnailPath: string | null };
    };
    expect(
      (await replace(await picture('#0000ff', { format: 'jpeg', width: 100, height: 300 }), 'second.jpg'))
        .ThumbnailPath,
    ).toBe(path);
    await thumbnailOf(files, id);
    const second = await (await files.get(path)).bytes();
    expect(await sharp(second).metadata()).toMatchObject({ width: 100, height: 300 });
    expect(second).not.toEqual(first);
    expect((await replace('words', 'third.txt')).ThumbnailPath).toBeNull();
    expect(await refusal(files.get(path))).toEqual([404, 'no_thumbnail']);
  });

  test('hostile pictures only lose their thumbnail', async () => {
    const whole = await picture('#abcdef', { format: 'jpeg' });
    const hostile = await Promise.all([
      files.upload(pngBomb(50_000, 50_000), { name: 'bomb.png' }),
      files.upload(whole.slice(0, 1_000), { name: 'truncated.jpg' }),
      files.upload(new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0xff, 0xff, ...Array(200).fill(0xff)]), {
        name: 'tags.tiff',
      }),
    ]);
    const good = await files.upload(await picture('#123456'), { name: 'good.png' });
    await thumbnailOf(files, good.id);
    for (const { id, sizeBytes } of hostile) {
      await until(async () => (await files.metadata(id)).thumbnailPath === null);
      expect(await refusal(files.get(`/api/storage/files/${id}/thumbnail`))).toEqual([404, 'no_thumbnail']);
      expect((await (await files.get(`/api/storage/files/${id}/content`)).bytes()).length).toBe(sizeBytes);
    }
    expect((await posthouse.fetch('/readyz')).status).toBe(200);
  });

  test('waiting ones are rendered after a restart', async () => {
    const uploaded = await Promise.all(
      ['#111111', '#222222', '#333333', '#444444'].map(async (color) =>
        files.upload(await picture(color, { width: 3_000, height: 2_000 }), { name: 'x.png' }),
      ),
    );
    // On PostgreSQL other nodes may run, so the lease of a killed node must end first.
    await (backend === 'sqlite+local' ? first.kill() : first.stop());
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, ann.headers);
    for (const { id } of uploaded) await thumbnailOf(files, id);
  });
});
