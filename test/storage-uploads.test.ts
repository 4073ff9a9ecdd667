import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Upload } from 'tus-js-client';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { openBreakingProxy } from './harness/breaking-proxy.ts';
import { filesOf } from './harness/files.ts';
import { picture, thumbnailOf } from './harness/pictures.ts';
import {
  addPerson,
  type Posthouse,
  type PosthouseProcess,
  startPosthouse,
  startProcess,
} from './harness/posthouse.ts';
import { refusal } from './harness/refusal.ts';

const MB = 1_048_576;
const PATH = '/api/storage/uploads';
type Body = string | Uint8Array<ArrayBuffer>;

describe.each(BACKENDS)('resumable uploads on %s', (backend) => {
  let settings: Record<string, string>;
  let first: PosthouseProcess;
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_BYTES: String(64 * MB),
      POSTHOUSE_MAX_FILE_BYTES: String(40 * MB),
    };
    first = await startProcess(settings);
    posthouse = first;
    ann = await addPerson(settings, 'ann@example.org');
    files = filesOf(posthouse, ann.headers);
  });
  afterAll(() => posthouse.stop());

  const encode = (metadata: Record<string, string>) =>
    Object.entries(metadata)
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',');
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: Body) =>
    posthouse.fetch(path, {
      method,
      body,
      headers: { ...ann.headers, 'Tus-Resumable': '1.0.0', ...headers },
    });
  const begin = async (
    length: number,
    metadata: Record<string, string> = { filename: 'a.bin' },
    headers: Record<string, string> = {},
  ) => {
    const answer = await send('POST', PATH, {
      'Upload-Length': String(length),
      'Upload-Metadata': encode(metadata),
      ...headers,
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.headers.get('Location') ?? '';
  };
  const patch = (path: string, offset: number, body: Body, headers: Record<string, string> = {}) =>
    send(
      'PATCH',
      path,
      { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream', ...headers },
      body,
    );
  const bytesOf = async (id: string) =>
    Buffer.from(await (await files.get(`/api/storage/files/${id}/content`)).bytes());

  test('a creation that is repeated with its Idempotency-Key returns the first upload, and reserves its space once', async () => {
    const create = (key: string, length = 40 * MB) =>
      send('POST', PATH, {
        'Upload-Length': String(length),
        'Upload-Metadata': encode({ filename: 'repeated.bin' }),
        'Idempotency-Key': key,
      });
    // Without the key, 64 MB do not hold a second upload of 40 MB.
    const answers = await Promise.all([create('a key'), create('a key')]);
    const repeated = await create('a key');
    const created = [...answers, repeated].filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => ![201, 423].includes(status))).toEqual([]);
    expect(repeated.status).toBe(201);
    const [path = '', ...others] = new Set(created.map(({ headers }) => headers.get('Location') ?? ''));
    expect(others).toEqual([]);
    expect(await refusal(create('a key', 1))).toEqual([409, 'idempotency_conflict']);
    expect(await refusal(create('another key'))).toEqual([507, 'quota_exceeded']);
    await patch(path, 0, 'bytes');
    const { headers } = await create('a key');
    expect([headers.get('Upload-Offset'), headers.get('Upload-Expires')]).toEqual(['5', expect.any(String)]);
    expect((await send('DELETE', path)).status).toBe(204);
    const again = await create('a key');
    expect([again.status, again.headers.get('Upload-Offset')]).toEqual([201, null]);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('tus-js-client finishes an upload that is interrupted twice', async () => {
    const content = crypto.getRandomValues(Buffer.alloc(65_536));
    const whole = Buffer.concat(Array(12 * 16).fill(content));
    const proxy = await openBreakingProxy(posthouse.url, [3 * MB, 4 * MB]);
    const offsets: number[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const upload = new Upload(whole, {
      endpoint: `${proxy.url}${PATH}`,
      headers: ann.headers,
      metadata: { filename: 'Über die Leitung.bin', folderId: 'root' },
      retryDelays: [10, 10, 50, 100, 500, 1000, 2000],
      onError: reject,
      onAfterResponse(request, response) {
        if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')));
        const id = response.getHeader('Posthouse-File-Id');
        if (id) resolve(id);
      },
      onSuccess: () => {},
    });
    upload.start();
    const id = await promise;
    await proxy.close();
    expect(proxy.left).toEqual([]);
    // Bytes received before each interruption were not sent again. A busy server may respond to the first HEAD request
    // before it reads the interrupted request.
    expect(new Set(offsets).size).toBeGreaterThanOrEqual(2);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(await files.metadata(id)).toMatchObject({
      originalName: 'Über die Leitung.bin',
      sizeBytes: whole.length,
    });
    expect((await bytesOf(id)).equals(whole)).toBe(true);
    await files.remove(id);
  });

  test('a file is uploaded in several requests', async () => {
    const path = await begin(10, { filename: 'pieces.txt', visibility: '1' });
    expect(path).toMatch(/^\/api\/storage\/uploads\/[0-9a-f-]{36}$/);
    const first = await patch(path, 0, 'hello');
    expect([
      first.status,
      first.headers.get('Upload-Offset'),
      first.headers.get('Posthouse-File-Id'),
    ]).toEqual([204, '5', null]);
    expect(Date.parse(first.headers.get('Upload-Expires') ?? '')).toBeGreaterThan(Date.now());
    const head = await send('HEAD', path);
    expect([
      head.status,
      head.headers.get('Upload-Offset'),
      head.headers.get('Upload-Length'),
      head.headers.get('Cache-Control'),
    ]).toEqual([200, '5', '10', 'no-store']);
    expect(await refusal(patch(path, 3, 'xx'))).toEqual([409, 'upload_offset_wrong']);
    expect(await refusal(patch(path, 5, 'more than is left'))).toEqual([400, 'invalid_request']);
    const last = await patch(path, 5, 'world');
    const id = last.headers.get('Posthouse-File-Id') ?? '';
    expect([last.status, last.headers.get('Upload-Offset')]).toEqual([204, '10']);
    expect(await files.metadata(id)).toMatchObject({
      originalName: 'pieces.txt',
      mimeType: 'text/plain',
      visibility: 1,
      sizeBytes: 10,
    });
    expect(String(await bytesOf(id))).toBe('helloworld');
    // A client that missed the last response gets the id by HEAD.
    expect((await send('HEAD', path)).headers.get('Posthouse-File-Id')).toBe(id);
  });

  test('creation with bytes, of an empty file, and of a picture with its thumbnail', async () => {
    const bytes = await picture('#ff00ff');
    const answer = await send(
      'POST',
      PATH,
      {
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': encode({ filename: 'p.png' }),
        'Content-Type': 'application/offset+octet-stream',
      },
      bytes,
    );
    expect([answer.status, answer.headers.get('Upload-Offset')]).toEqual([201, String(bytes.length)]);
    await thumbnailOf(files, answer.headers.get('Posthouse-File-Id') ?? '');
    const empty = await send('POST', PATH, {
      'Upload-Length': '0',
      'Upload-Metadata': encode({ filename: 'empty' }),
    });
    expect(await files.metadata(empty.headers.get('Posthouse-File-Id') ?? '')).toMatchObject({
      sizeBytes: 0,
    });
  });

  test('an upload replaces a file, whose id and links stay', async () => {
    const old = await files.upload('old words', { name: 'old.txt' });
    const path = await begin(9, { filename: 'draft.txt', replaceFileId: old.id });
    expect(String(await bytesOf(old.id))).toBe('old words');
    expect((await patch(path, 0, 'new words')).headers.get('Posthouse-File-Id')).toBe(old.id);
    expect(String(await bytesOf(old.id))).toBe('new words');
    expect(await files.metadata(old.id)).toMatchObject({ originalName: 'old.txt', uiToken: old.uiToken });
  });

  test('bytes with a wrong checksum are not stored', async () => {
    const path = await begin(6);
    const sum = (text: string) => new Bun.CryptoHasher('sha1').update(text).digest('base64');
    expect(await refusal(patch(path, 0, 'abc', { 'Upload-Checksum': `sha1 ${sum('abd')}` }))).toEqual([
      460,
      'checksum_mismatch',
    ]);
    expect((await send('HEAD', path)).headers.get('Upload-Offset')).toBe('0');
    expect(
      (await patch(path, 0, 'abc', { 'Upload-Checksum': `sha1 ${sum('abc')}` })).headers.get('Upload-Offset'),
    ).toBe('3');
    expect(await refusal(patch(path, 3, 'def', { 'Upload-Checksum': 'crc99 AAAA' }))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await refusal(patch(path, 3, 'def', { 'Upload-Checksum': 'sha1 AAAA' }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test('OPTIONS returns the capabilities to everyone', async () => {
    const answer = await posthouse.fetch(PATH, { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('Tus-Version')).toBe('1.0.0');
    expect(answer.headers.get('Tus-Extension')?.split(',').toSorted()).toEqual([
      'checksum',
      'creation',
      'creation-with-upload',
      'expiration',
      'termination',
    ]);
    expect(answer.headers.get('Tus-Max-Size')).toBe(String(40 * MB));
    expect(answer.headers.get('Tus-Checksum-Algorithm')).toContain('sha1');
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('an upload reserves its space and frees it', async () => {
    const used = await files.usedBytes();
    const first = await begin(35 * MB);
    const second = { 'Upload-Length': String(35 * MB), 'Upload-Metadata': encode({ filename: 'b' }) };
    expect(await refusal(send('POST', PATH, second))).toEqual([507, 'quota_exceeded']);
    expect(await files.usedBytes()).toBe(used);
    expect((await send('DELETE', first)).status).toBe(204);
    expect(await refusal(send('HEAD', first).then(() => patch(first, 0, 'x')))).toEqual([404, 'not_found']);
    const again = await send('POST', PATH, second);
    expect(again.status).toBe(201);
    await send('DELETE', again.headers.get('Location') ?? '');
    expect(await refusal(send('POST', PATH, { ...second, 'Upload-Length': String(41 * MB) }))).toEqual([
      413,
      'file_too_large',
    ]);
  });

  test('an upload continues after the server was killed', async () => {
    const path = await begin(8, { filename: 'later.txt' });
    await patch(path, 0, 'befo');
    await first.kill();
    posthouse = await startPosthouse(settings);
    files = filesOf(posthouse, ann.headers);
    expect((await send('HEAD', path)).headers.get('Upload-Offset')).toBe('4');
    const last = await patch(path, 4, 'after'.slice(0, 4));
    expect(String(await bytesOf(last.headers.get('Posthouse-File-Id') ?? ''))).toBe('befoafte');
  });

  test('invalid requests are rejected by name', async () => {
    const post = (headers: Record<string, string>) => send('POST', PATH, headers);
    const bad = async (headers: Record<string, string>, words: string) => {
      const answer = await post(headers);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
      expect(answer.headers.get('Tus-Resumable')).toBe('1.0.0');
      expect(((await answer.json()) as { detail: string }).detail).toContain(words);
    };
    await bad({ 'Upload-Metadata': encode({ filename: 'a' }) }, 'Upload-Length');
    await bad(
      { 'Upload-Length': '-1', 'Upload-Metadata': encode({ filename: 'a' }) },
      'Upload-Length: must be a number of bytes',
    );
    await bad({ 'Upload-Defer-Length': '1' }, 'Upload-Defer-Length: is not supported: send Upload-Length');
    await bad(
      { 'Upload-Length': '1', 'Upload-Concat': 'partial' },
      'Upload-Concat: is not supported: send one upload',
    );
    await bad({ 'Upload-Length': '1' }, 'filename');
    await bad({ 'Upload-Length': '1', 'Upload-Metadata': encode({ filename: '..' }) }, 'filename');
    await bad(
      { 'Upload-Length': '1', 'Upload-Metadata': encode({ filename: 'a', visibility: '2' }) },
      'visibility',
    );
    await bad(
      { 'Upload-Length': '1', 'Upload-Metadata': encode({ filename: 'a', folderId: 'x' }) },
      'folderId',
    );
    await bad(
      { 'Upload-Length': '1', 'Upload-Metadata': 'filename not-base64!' },
      'Upload-Metadata: must be pairs of a key and a value in Base64',
    );
    const tooLarge = await post({
      'Upload-Length': '99999999999',
      'Upload-Metadata': encode({ filename: 'a' }),
    });
    expect(((await tooLarge.json()) as { detail: string }).detail).toMatch(
      /^The file exceeds the limit of \d+ bytes\.$/,
    );
    const elsewhere = {
      'Upload-Length': '1',
      'Upload-Metadata': encode({ filename: 'a', folderId: crypto.randomUUID() }),
    };
    expect(await refusal(post(elsewhere))).toEqual([404, 'not_found']);
    const path = await begin(3);
    expect(
      await refusal(send('PATCH', path, { 'Upload-Offset': '0', 'Content-Type': 'text/plain' }, 'abc')),
    ).toEqual([415, 'unsupported_media_type']);
    const coded = { 'Content-Type': 'application/offset+octet-stream', 'Content-Encoding': 'gzip' };
    for (const answer of [
      await send('PATCH', path, { ...coded, 'Upload-Offset': '0' }, 'abc'),
      await post({ ...coded, 'Upload-Length': '3', 'Upload-Metadata': encode({ filename: 'a' }) }),
    ]) {
      expect(await refusal(answer)).toEqual([415, 'unsupported_media_type']);
      expect(answer.headers.get('Accept-Encoding')).toBe('identity');
    }
    const old = await send('PATCH', path, { 'Tus-Resumable': '0.2.2', 'Upload-Offset': '0' }, 'abc');
    expect(old.headers.get('Tus-Version')).toBe('1.0.0');
    expect(await refusal(old)).toEqual([412, 'precondition_failed']);
    expect(await refusal(send('GET', path))).toEqual([405, 'method_not_allowed']);
  });

  test('an upload requires its owner', async () => {
    const path = await begin(3);
    const eve = await addPerson(settings, 'eve@example.org');
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
      const body = method === 'PATCH' ? 'abc' : undefined;
      expect((await send(method, path, { ...headers, ...eve.headers }, body)).status).toBe(404);
      expect((await send(method, path, { ...headers, Authorization: '' }, body)).status).toBe(401);
    }
    const owned = await files.upload('mine', { name: 'mine.txt' });
    const replacing = {
      'Upload-Length': '1',
      'Upload-Metadata': encode({ filename: 'a', replaceFileId: owned.id }),
      ...eve.headers,
    };
    expect(await refusal(send('POST', PATH, replacing))).toEqual([404, 'not_found']);
    expect((await patch(path, 0, 'abc')).status).toBe(204);
  });
});
