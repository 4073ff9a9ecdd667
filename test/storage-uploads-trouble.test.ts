import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { DAY, MINUTE } from '../src/kernel/clock.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openAt } from './harness/database.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import { chunked } from './harness/multipart.ts';
import { picture, thumbnailOf } from './harness/pictures.ts';
import {
  addPerson,
  type Posthouse,
  type PosthouseProcess,
  runJson,
  startPosthouse,
  startProcess,
} from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';
import { metadata, tusOf, UPLOADS } from './harness/tus.ts';
import { served, until } from './harness/until.ts';

const MB = 1_048_576;
const QUOTA = 32 * MB;
/** More than a part of 16 MB, and more than half of the quota. */
const LARGEST = 20 * MB;
const sha1 = (bytes: string | Uint8Array) => new Bun.CryptoHasher('sha1').update(bytes).digest('base64');

describe.each(BACKENDS)('failures of resumable uploads on %s', (backend) => {
  let settings: Record<string, string>;
  let first: PosthouseProcess;
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  let tus: ReturnType<typeof tusOf>;
  const use = (server: Posthouse) => {
    posthouse = server;
    files = filesOf(server, ann.headers);
    tus = tusOf(server, ann.headers);
  };
  beforeAll(async () => {
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_BYTES: String(QUOTA),
      POSTHOUSE_MAX_FILE_BYTES: String(LARGEST),
    };
    first = await startProcess(settings);
    ann = await addPerson(settings, 'ann@example.org');
    use(first);
  });
  afterAll(() => posthouse.stop());

  const bytesOf = async (id: string) =>
    Buffer.from(await (await files.get(`/api/storage/files/${id}/content`)).bytes());
  const listed = (folder: string) => files.read<Metadata[]>(`/api/storage/files/${folder}`);
  const database = () =>
    openAt(settings.POSTHOUSE_DATABASE_URL ?? join(settings.POSTHOUSE_DATA_DIR ?? '', 'posthouse.sqlite'));
  const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  /** Fails unless the largest upload fits in addition to the reservations. */
  const expectRoom = async () => {
    const path = await tus.begin(LARGEST);
    expect((await tus.send('DELETE', path)).status).toBe(204);
  };

  test('a hanging connection blocks nobody, and its bytes are kept', async () => {
    const path = await tus.begin(10);
    const hanging = await tus.hang(path, 10, Buffer.from('hello'));
    // Repeated until the first bytes are read, while that connection stays open.
    let offset = await tus.offset(path);
    for (let tries = 0; tries < 100 && offset === 0; tries++) offset = await tus.offset(path);
    expect([0, 5]).toContain(offset ?? -1);
    const answer = await tus.patch(path, offset ?? 0, 'helloworld'.slice(offset ?? 0));
    expect(answer.status).toBe(204);
    expect(String(await bytesOf(answer.headers.get('Posthouse-File-Id') ?? ''))).toBe('helloworld');
    hanging.destroy();
  });

  test('a request that lost its lock stores nothing more, and reports it', async () => {
    const path = await tus.begin(10);
    const hanging = await tus.hang(path, 10, Buffer.from('hello'));
    const rows = database();
    const take = () =>
      rows.transaction((trx) =>
        trx
          .updateTable('uploads')
          .set({ lock_owner: 'another', lock_until: Date.now() })
          .where('id', '=', idOf(path))
          .where('lock_owner', 'is not', null)
          .returning('id')
          .executeTakeFirst(),
      );
    await until(take);
    const answered = new Promise<string>((resolve) => hanging.once('data', (data) => resolve(String(data))));
    hanging.write('world');
    const answer = await answered;
    expect(answer).toStartWith('HTTP/1.1 423 ');
    expect(answer).toContain('"upload_locked"');
    hanging.destroy();
    expect(await tus.offset(path)).toBe(0);
  });

  test('another node continues an upload', async () => {
    const path = await tus.begin(12, { filename: 'nodes.txt' });
    expect((await tus.patch(path, 0, 'one ')).status).toBe(204);
    const hanging = await tus.hang(path, 8, Buffer.alloc(0));
    const other =
      backend === 'postgres+s3'
        ? await startPosthouse({
            ...settings,
            POSTHOUSE_DATA_DIR: (await freshSettings('sqlite+local')).POSTHOUSE_DATA_DIR ?? '',
          })
        : posthouse;
    const there = tusOf(other, ann.headers);
    expect(await there.offset(path)).toBe(4);
    expect((await there.patch(path, 4, 'two ')).headers.get('Upload-Offset')).toBe('8');
    const last = await tus.patch(path, 8, 'four');
    expect(String(await bytesOf(last.headers.get('Posthouse-File-Id') ?? ''))).toBe('one two four');
    hanging.destroy();
    if (other !== posthouse) await other.stop();
  });

  test('of two concurrent requests with the same bytes, one counts', async () => {
    const folder = await files.newFolder('twice');
    const path = await tus.begin(6, { filename: 'twice.txt', folderId: folder });
    const answers = await Promise.all([tus.patch(path, 0, 'abcdef'), tus.patch(path, 0, 'abcdef')]);
    for (const { status } of answers) expect([204, 409, 423]).toContain(status);
    const id = (await tus.send('HEAD', path)).headers.get('Posthouse-File-Id');
    expect((await listed(folder)).map((file) => file.id)).toEqual([id ?? '']);
    // A repeated request creates no second file.
    expect((await tus.patch(path, 6, '')).headers.get('Posthouse-File-Id')).toBe(id);
    expect(await listed(folder)).toHaveLength(1);
    // This deletes the upload, not the file.
    expect((await tus.send('DELETE', path)).status).toBe(204);
    expect(await tus.offset(path)).toBeNull();
    expect(String(await bytesOf(id ?? ''))).toBe('abcdef');
  });

  test('the file equals that of an ordinary upload', async () => {
    const folder = await files.newFolder('same');
    const bytes = await picture('#336699');
    const plain = await files.upload(bytes, { name: 'photo.png', folder });
    const path = await tus.begin(bytes.length, {
      filename: 'photo.png',
      folderId: folder,
      filetype: 'text/html',
    });
    await tus.patch(path, 0, bytes.subarray(0, 1_000));
    const last = await tus.patch(path, 1_000, bytes.subarray(1_000));
    const id = last.headers.get('Posthouse-File-Id') ?? '';
    await Promise.all([thumbnailOf(files, plain.id), thumbnailOf(files, id)]);
    const facts = async (file: string) => {
      const { id: _, directToken, uiToken, thumbnailPath, ...rest } = await files.metadata(file);
      expect([thumbnailPath, directToken.length, uiToken.length]).toEqual([
        `/api/storage/files/${file}/thumbnail`,
        32,
        32,
      ]);
      return { ...rest, dateCreated: null, dateModified: null };
    };
    expect(await facts(id)).toEqual(await facts(plain.id));
    expect(await runJson<object>(settings, 'check')).toMatchObject({ missing: 0, corrupt: 0 });
  });

  test('names follow the rules of forms', async () => {
    const nameOf = async (filename: string | Uint8Array) => {
      const answer = await tus.create(0, { filename });
      return answer.status === 201
        ? (await files.metadata(answer.headers.get('Posthouse-File-Id') ?? '')).originalName
        : answer.status;
    };
    const long = 'ж'.repeat(127);
    for (const name of ['отчёт 🚀.pdf', '\ufeffmark', 'a,b c=d;"e"', 'e\u0301', ` ${long}`])
      expect(await nameOf(name)).toBe(name);
    expect(await nameOf('../../etc/passwd')).toBe('passwd');
    expect(await nameOf('C:\\fakepath\\photo.jpg')).toBe('photo.jpg');
    for (const name of [
      '',
      '.',
      '..',
      'a/',
      'a\0b',
      'line\nbreak',
      `ab${long}`,
      Buffer.from([0x61, 0xff, 0x62]),
    ]) {
      expect(await nameOf(name)).toBe(400);
    }
  });

  test('metadata are returned unchanged', async () => {
    const given = metadata({ filename: 'm', 'of-mine': Buffer.from([0, 255, 128]), filetype: 'no\0type' });
    const answer = await tus.send('POST', UPLOADS, {
      'Upload-Length': '3',
      'Upload-Metadata': `${given},flag`,
    });
    const path = answer.headers.get('Location') ?? '';
    expect((await tus.send('HEAD', path)).headers.get('Upload-Metadata')).toBe(`${given},flag`);
    expect((await tus.patch(path, 0, 'abc')).status).toBe(204);
  });

  test('an upload whose creation failed reserves nothing', async () => {
    const wrong = { 'Upload-Checksum': `sha1 ${sha1('other')}` };
    expect(await refusal(tus.createWith(LARGEST, 'abc', wrong))).toEqual([460, 'checksum_mismatch']);
    await expectRoom();
    expect(await refusal(tus.createWith(2, 'abc'))).toEqual([400, 'invalid_request']);
    await expectRoom();
    const right = await tus.createWith(6, 'abc', { 'Upload-Checksum': `sha1 ${sha1('abc')}` });
    expect([right.status, right.headers.get('Upload-Offset')]).toEqual([201, '3']);
  });

  test('an upload lasts for a minute while the request that creates it sends bytes, and then for a day', async () => {
    const rows = database();
    const newest = () =>
      rows.read.selectFrom('uploads').selectAll().orderBy('date_created', 'desc').limit(1).executeTakeFirst();
    const before = await newest();
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const creating = tus.createWith(6, body.readable);
    await writer.write(Buffer.from('ab'));
    await until(async () => (await newest())?.id !== before?.id);
    const during = await newest();
    // After the death of the process, the upload is deleted with its reservation.
    expect(during).toMatchObject({ lock_owner: expect.any(String), file_id: null });
    expect(Number(during?.expires_at) - Number(during?.date_created)).toBe(MINUTE);
    await writer.write(Buffer.from('c'));
    await writer.close();
    expect((await creating).status).toBe(201);
    const after = await newest();
    expect(after).toMatchObject({ id: during?.id, lock_owner: null, offset_bytes: 3 });
    expect(Number(after?.expires_at) - Number(after?.date_created)).toBe(DAY);
  });

  test('an upload that is created without bytes lasts for a day after the response', async () => {
    const rows = database();
    const id = idOf(await tus.begin(6));
    const lifetime = async () => {
      const row = await rows.read.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst();
      return Number(row?.expires_at) - Number(row?.date_created);
    };
    await until(async () => (await lifetime()) === DAY);
    // As if that had not been recorded: the first bytes show it, too.
    await rows.transaction((trx) =>
      trx
        .updateTable('uploads')
        .set((set) => ({ expires_at: set('date_created', '+', MINUTE) }))
        .where('id', '=', id)
        .execute(),
    );
    expect((await tus.patch(`${UPLOADS}/${id}`, 0, 'abc')).status).toBe(204);
    expect(await lifetime()).toBe(DAY);
  });

  test('a partial upload reserves its space, which does not count as used', async () => {
    const before = await files.read<{ usedBytes: number }>('/api/storage/usage');
    const path = await tus.begin(LARGEST);
    await tus.patch(path, 0, new Uint8Array(MB));
    const upload = () => files.send('root', new Uint8Array(15 * MB));
    expect(await refusal(upload())).toEqual([507, 'quota_exceeded']);
    expect(await (await files.get('/api/storage/usage')).json()).toEqual(before);
    expect((await tus.send('DELETE', path)).status).toBe(204);
    const answer = await upload();
    expect(answer.status).toBe(201);
    await files.remove(((await answer.json()) as { Id: string }).Id);
  });

  test('of concurrent uploads, as many are created as fit, and none of them fails at its end', async () => {
    const bob = await addPerson(settings, 'bob@example.org');
    const his = tusOf(posthouse, bob.headers);
    const begun = await Promise.all(Array.from({ length: 5 }, () => his.create(10 * MB)));
    expect(begun.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 507, 507]);
    const upload = async (bytes: number) =>
      (await served(() => filesOf(posthouse, bob.headers).send('root', new Uint8Array(bytes)))).status;
    /** Continues where a store that is too slow for all at once has refused. */
    const complete = async (path: string) =>
      await served(async () => {
        const offset = (await his.offset(path)) ?? 0;
        return await his.patch(path, offset, new Uint8Array(10 * MB - offset));
      });
    const paths = begun.map((answer) => answer.headers.get('Location')).filter((path) => path !== null);
    const [rest, ...ends] = await Promise.all([upload(2 * MB), ...paths.map(complete)]);
    expect([rest, ...ends.map(({ status }) => status)]).toEqual([201, 204, 204, 204]);
    expect(await upload(1)).toBe(507);
    const usage = await posthouse.fetch('/api/storage/usage', { headers: bob.headers });
    expect(await usage.json()).toEqual({ usedBytes: QUOTA, maxBytes: QUOTA });
  });

  test.each(['folder', 'file'])(
    'when its %s is deleted, the upload is deleted with its reservation',
    async (what) => {
      const folder = await files.newFolder(`gone ${what}`);
      const old = await files.upload('old', { folder });
      const path = await tus.begin(
        LARGEST,
        what === 'folder' ? { filename: 'a', folderId: folder } : { replaceFileId: old.id },
      );
      await tus.patch(path, 0, new Uint8Array(15 * MB));
      await (what === 'file' ? files.remove(old.id) : files.removeFolder(folder));
      expect(await refusal(tus.patch(path, 15 * MB, new Uint8Array(5 * MB)))).toEqual([404, 'not_found']);
      expect(await tus.offset(path)).toBeNull();
      await expectRoom();
      const missing = {
        filename: 'a',
        ...(what === 'folder' ? { folderId: folder } : { replaceFileId: old.id }),
      };
      expect(await refusal(tus.create(1, missing))).toEqual([404, 'not_found']);
    },
  );

  test('clients can override the method of a POST', async () => {
    const path = await tus.begin(6);
    const patched = await tus.send(
      'POST',
      path,
      {
        'X-HTTP-Method-Override': 'PATCH',
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      'abc',
    );
    expect([patched.status, patched.headers.get('Upload-Offset')]).toEqual([204, '3']);
    expect(
      (await tus.send('POST', path, { 'X-HTTP-Method-Override': 'DELETE', Authorization: '' })).status,
    ).toBe(401);
    expect(await refusal(tus.send('POST', path))).toEqual([400, 'invalid_request']);
    expect((await tus.send('POST', path, { 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(204);
    expect(await tus.offset(path)).toBeNull();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const content = Buffer.alloc(3 * MB, 'posthouse ');
    const upload = new Upload(content, {
      endpoint: `${posthouse.url}${UPLOADS}`,
      headers: ann.headers,
      chunkSize: MB,
      overridePatchMethod: true,
      metadata: { filename: 'overridden.bin' },
      onError: reject,
      onSuccess: () => resolve(),
    });
    upload.start();
    await promise;
    const answer = await tus.send('HEAD', new URL(upload.url ?? '').pathname);
    expect((await bytesOf(answer.headers.get('Posthouse-File-Id') ?? '')).equals(content)).toBe(true);
  });

  test('invalid headers are rejected, and those of proxies ignored', async () => {
    const path = await tus.begin(6);
    const chunk = { 'Content-Type': 'application/offset+octet-stream' };
    const named = async (answer: Promise<Response>) => {
      const body = (await (await answer).json()) as {
        status: number;
        code: string;
        errors: { path: string }[];
      };
      return [body.status, body.code, ...body.errors.map((error) => error.path.toLowerCase())];
    };
    expect(await named(tus.send('PATCH', path, chunk, 'abc'))).toEqual([
      400,
      'invalid_request',
      'upload-offset',
    ]);
    for (const offset of ['-1', '1e30', '9'.repeat(30)])
      expect(await named(tus.send('PATCH', path, { ...chunk, 'Upload-Offset': offset }, 'a'))).toEqual([
        400,
        'invalid_request',
        'upload-offset',
      ]);
    for (const length of ['1.5', '1e30', '9'.repeat(30)])
      expect(await named(tus.create(length))).toEqual([400, 'invalid_request', 'upload-length']);
    expect(await refusal(tus.create(6, undefined, { 'Upload-Concat': `final;${path}` }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await tus.offset(path)).toBe(0);
    expect(await named(tus.send('POST', UPLOADS))).toEqual([400, 'invalid_request', 'upload-length']);
    expect(await refusal(tus.send('POST', UPLOADS, { 'Upload-Defer-Length': '1' }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await refusal(tus.create('99999999999'))).toEqual([413, 'file_too_large']);
    expect((await tus.send('HEAD', path, { 'X-Forwarded-Proto': 'https, http' })).status).toBe(200);
    for (const method of ['POST', 'HEAD', 'PATCH', 'DELETE']) {
      const answer = await tus.send(method, method === 'POST' ? UPLOADS : path, { 'Tus-Resumable': '' });
      expect([answer.status, answer.headers.get('Tus-Version'), answer.headers.get('Tus-Resumable')]).toEqual(
        [412, '1.0.0', '1.0.0'],
      );
    }
    for (const unknown of [`${UPLOADS}/x`, `${UPLOADS}/${crypto.randomUUID()}`]) {
      expect(await refusal(tus.patch(unknown, 0, 'abc'))).toEqual([404, 'not_found']);
      expect((await tus.send('HEAD', unknown)).status).toBe(404);
      expect((await tus.send('DELETE', unknown)).status).toBe(404);
    }
    expect((await posthouse.fetch(path, { method: 'OPTIONS' })).headers.get('Tus-Version')).toBe('1.0.0');
    expect((await tus.patch(`${path}?x=1`, 0, 'abcdef')).status).toBe(204);
  });

  test('more bytes than announced are rejected, with known and unknown length', async () => {
    const path = await tus.begin(6);
    expect(await refusal(tus.patch(path, 0, 'abcdefg'))).toEqual([400, 'invalid_request']);
    expect(await refusal(tus.patch(path, 0, chunked(Buffer.from('abcdefg'), 2)))).toEqual([
      400,
      'invalid_request',
    ]);
    const offset = (await tus.offset(path)) ?? 0;
    const last = await tus.patch(path, offset, 'abcdef'.slice(offset));
    expect(String(await bytesOf(last.headers.get('Posthouse-File-Id') ?? ''))).toBe('abcdef');
  });

  test('a rejection reaches a client that is still sending', async () => {
    const path = await tus.begin(LARGEST);
    const much = new Uint8Array(15 * MB);
    expect(await refusal(tus.patch(path, 5, much))).toEqual([409, 'upload_offset_wrong']);
    expect(await refusal(tus.patch(path, 0, much, { 'Content-Type': 'video/mp4' }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await refusal(tus.patch(path, 0, much, { Authorization: '' }))).toEqual([401, 'login_required']);
    expect(await tus.offset(path)).toBe(0);
    expect((await tus.send('DELETE', path)).status).toBe(204);
  });

  test('a token with the scope read allows only HEAD', async () => {
    const path = await tus.begin(6);
    const { token } = await runJson<{ token: string }>(
      settings,
      'token',
      'add',
      '--email',
      ann.email,
      '--name',
      'r',
      '--scope',
      'read',
    );
    const reader = tusOf(posthouse, { Authorization: `Bearer ${token}` });
    expect(await reader.offset(path)).toBe(0);
    for (const answer of [reader.create(1), reader.patch(path, 0, 'a'), reader.send('DELETE', path)]) {
      expect(await refusal(answer)).toEqual([403, 'scope_insufficient']);
    }
  });

  test('an upload expires after a day', async () => {
    const path = await tus.begin(LARGEST);
    await tus.patch(path, 0, 'abc');
    const rows = database();
    await rows.transaction(async (trx) => {
      const [id, past] = [idOf(path), Date.now() - 2 * DAY];
      await trx
        .updateTable('uploads')
        .set({ date_created: past, expires_at: past })
        .where('id', '=', id)
        .execute();
      await trx.updateTable('reservations').set({ lease_until: past }).where('id', '=', id).execute();
    });
    expect((await tus.send('HEAD', path)).status).toBe(410);
    expect(await refusal(tus.patch(path, 3, 'def'))).toEqual([410, 'upload_expired']);
    await expectRoom();
    expect((await tus.send('DELETE', path)).status).toBe(204);
  });

  test('a killed server loses at most the last part of a long request', async () => {
    const content = Buffer.alloc(LARGEST, crypto.getRandomValues(Buffer.alloc(65_536)));
    const path = await tus.begin(content.length);
    const hanging = await tus.hang(path, content.length, content.subarray(0, 18 * MB));
    const rows = database();
    const kept = () =>
      rows.read
        .selectFrom('uploads')
        .select('offset_bytes')
        .where('id', '=', idOf(path))
        .executeTakeFirstOrThrow();
    await until(async () => (await kept()).offset_bytes > 0);
    await first.kill();
    hanging.destroy();
    use(await startPosthouse(settings));
    const offset = (await tus.offset(path)) ?? 0;
    expect(offset).toBeGreaterThanOrEqual(16 * MB);
    const last = await tus.patch(path, offset, content.subarray(offset));
    expect((await bytesOf(last.headers.get('Posthouse-File-Id') ?? '')).equals(content)).toBe(true);
    expect(await runJson<object>(settings, 'check')).toMatchObject({ missing: 0, corrupt: 0 });
  });
});
