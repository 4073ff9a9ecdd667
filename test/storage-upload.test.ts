import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { chunked, type FormPart, MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';
import { until } from './harness/until.ts';

type Body = string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;

interface Problem {
  code: string;
  errors?: { path: string; message: string }[];
}

const FILE_BYTES = 100_000;

describe.each(BACKENDS)('uploads on %s', (backend) => {
  let posthouse: Posthouse;
  let files: ReturnType<typeof filesOf>;
  let ada: Awaited<ReturnType<typeof addPerson>>;
  let grace: Awaited<ReturnType<typeof addPerson>>;

  beforeAll(async () => {
    const settings = { ...(await freshSettings(backend)), POSTHOUSE_MAX_FILE_BYTES: String(FILE_BYTES) };
    posthouse = await startPosthouse(settings);
    ada = await addPerson(settings, 'ada@example.org');
    files = filesOf(posthouse, ada.headers);
    grace = await addPerson(settings, 'grace@example.org');
  });
  afterAll(() => posthouse.stop());

  const send = (
    path: string,
    body: Body,
    headers: Record<string, string> = ada.headers,
    type = MULTIPART_TYPE,
  ) => posthouse.fetch(path, { method: 'POST', headers: { ...headers, 'Content-Type': type }, body });
  const upload = (...parts: FormPart[]) => send('/api/storage/files/root', multipart(parts));
  const file = (value: string | Uint8Array, fileName = 'a.txt', type?: string): FormPart => ({
    name: 'file',
    value,
    fileName,
    type,
  });
  const content = async (id: string, headers: Record<string, string> = ada.headers) =>
    posthouse.fetch(`/api/storage/files/${id}/content`, { headers });
  const listed = async () =>
    (await files.read<{ id: string }[]>('/api/storage/files/root')).map(({ id }) => id);

  async function expectRefusal(answer: Response, status: number, code: string, path?: string): Promise<void> {
    const problem = (await answer.json()) as Problem;
    expect([answer.status, problem.code, problem.errors?.[0]?.path]).toEqual([status, code, path]);
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json');
  }

  /** Runs an upload that must be rejected, and checks that it leaves nothing behind. */
  async function expectNothingKept(work: () => Promise<void>): Promise<void> {
    const before = [await listed(), await files.usedBytes()];
    await work();
    expect([await listed(), await files.usedBytes()]).toEqual(before);
  }

  test('return the record of the published API', async () => {
    const answer = await upload(file('some text', 'a.txt', 'text/plain'));
    expect(answer.status).toBe(201);
    const record = (await answer.json()) as Record<string, unknown>;
    const id = String(record.Id);
    expect(record).toEqual({
      Id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      OriginalName: 'a.txt',
      SizeBytes: 9,
      MimeType: 'text/plain',
      Visibility: 0,
      DateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ThumbnailPath: null,
      HasFilePassword: false,
      HasAccessKey: false,
    });
    const metadata = await posthouse.fetch(answer.headers.get('Location') ?? '', { headers: ada.headers });
    expect(await metadata.json()).toMatchObject({
      id,
      originalName: 'a.txt',
      sha256: new Bun.CryptoHasher('sha256').update('some text').digest('hex'),
    });
    expect(await (await content(id)).text()).toBe('some text');
  });

  test('accept fields before and after the file', async () => {
    const fields: FormPart[] = [
      { name: 'originalName', value: 'given.txt' },
      { name: 'visibility', value: '1' },
      { name: 'filePassword', value: 'a password' },
      { name: 'accessKey', value: 'True' },
    ];
    for (const parts of [
      [...fields, file('x')],
      [file('x'), ...fields],
    ]) {
      const answer = await upload(...parts);
      expect(await answer.json()).toMatchObject({
        OriginalName: 'given.txt',
        Visibility: 1,
        HasFilePassword: true,
        HasAccessKey: true,
      });
    }
  });

  test('accept names of fields in any letter case, and blank fields as absent', async () => {
    const blank = ['OriginalName', 'visibility', 'FILEPASSWORD', 'accesskey'].map((name) => ({
      name,
      value: '',
    }));
    const answer = await upload(...blank, { ...file('x', 'a.txt'), name: 'File' });
    expect(await answer.json()).toMatchObject({
      OriginalName: 'a.txt',
      Visibility: 0,
      HasFilePassword: false,
    });
    const shared = await upload(
      { name: 'VISIBILITY', value: '1' },
      { name: 'FilePassword', value: 'p' },
      file('x'),
    );
    expect(await shared.json()).toMatchObject({ Visibility: 1, HasFilePassword: true });
  });

  test('accept a body of unknown length, and one sent in single bytes', async () => {
    const body = multipart([file('some text'), { name: 'originalName', value: 'b.txt' }]);
    for (const size of [1, 7, 1_000]) {
      const answer = await send('/api/storage/files/root', chunked(body, size));
      expect(await answer.json()).toMatchObject({ OriginalName: 'b.txt', SizeBytes: 9 });
    }
  });

  test('keep every byte', async () => {
    const bytes = crypto.getRandomValues(Buffer.alloc(65_536));
    for (const body of [
      Buffer.alloc(0),
      bytes,
      Buffer.from('\r\n--posthouse-test-boundar\r\n--'),
      Buffer.alloc(FILE_BYTES, '\r\n'),
    ]) {
      const { Id } = (await (await upload(file(body))).json()) as { Id: string };
      expect(Buffer.compare(Buffer.from(await (await content(Id)).bytes()), body)).toBe(0);
    }
  });

  test.each([
    ['日本語の名前.txt', '日本語の名前.txt'],
    ['Ж — план.txt', 'Ж — план.txt'],
    ['مرحبا.txt', 'مرحبا.txt'],
    ['e\u0301 decomposed.txt', 'e\u0301 decomposed.txt'],
    ['👩‍👩‍👧 family.txt', '👩‍👩‍👧 family.txt'],
    ['  spaces .txt', '  spaces .txt'],
    ['100%25.txt', '100%25.txt'],
    ["it's; a=b, c.txt", "it's; a=b, c.txt"],
    ['a%22b.txt', 'a"b.txt'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\a.txt', 'a.txt'],
    ['.hidden', '.hidden'],
    [`${'é'.repeat(125)}.txt`, `${'é'.repeat(125)}.txt`],
  ])('store the name %p as %p', async (sent, kept) => {
    const answer = await upload(file('x', sent));
    const { Id, OriginalName } = (await answer.json()) as { Id: string; OriginalName: string };
    expect(OriginalName).toBe(kept);
    const disposition = (await content(Id)).headers.get('Content-Disposition') ?? '';
    expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? '')).toBe(kept);
    const byField = await upload(file('x'), { name: 'originalName', value: kept });
    expect(((await byField.json()) as { OriginalName: string }).OriginalName).toBe(kept);
  });

  test.each([
    ['an empty name', [file('x', ' '), { name: 'originalName', value: '' }], 'file'],
    ['the name ..', [file('x', '..')], 'file'],
    ['a name that ends in a slash', [file('x', 'a/')], 'file'],
    ['a control character', [file('x'), { name: 'originalName', value: 'a\u0007b' }], 'originalName'],
    ['a line end', [file('x', 'a%0D%0Ab')], 'file'],
    ['256 bytes', [file('x', `${'é'.repeat(126)}.txt`)], 'file'],
    ['no file', [{ name: 'originalName', value: 'a.txt' }], 'file'],
    ['no file chosen', [file('', '')], 'file'],
    ['two files', [file('x'), file('y')], 'file'],
    ['no name at all', [{ name: 'file', value: 'x' }], 'originalName'],
    ['an unknown visibility', [file('x'), { name: 'visibility', value: '2' }], 'visibility'],
    [
      'an empty password of a public file',
      [file('x'), { name: 'visibility', value: '1' }, { name: 'filePassword', value: '' }],
      'filePassword',
    ],
    ['a misspelled password', [{ name: 'filePasword', value: 'p' }, file('x')], 'filePasword'],
    ['an unknown field', [file('x'), { name: 'expires', value: 'soon' }], 'expires'],
    ['a key of the caller’s own', [file('x'), { name: 'accessKey', value: 'mine' }], 'accessKey'],
    [
      'a field twice',
      [{ name: 'visibility', value: '0' }, { name: 'visibility', value: '1' }, file('x')],
      'visibility',
    ],
    ['an endless field', [{ name: 'originalName', value: 'x'.repeat(70_000) }, file('x')], 'originalName'],
    [
      'a name not in UTF-8',
      [file('x'), { name: 'originalName', value: Buffer.from([0x61, 0xff]) }],
      'originalName',
    ],
  ] as [string, FormPart[], string][])('reject %s and store nothing', async (_, parts, path) => {
    await expectNothingKept(async () => expectRefusal(await upload(...parts), 400, 'invalid_request', path));
  });

  test('reject other media types and interrupted bodies', async () => {
    await expectNothingKept(async () => {
      const whole = multipart([file('some text')]);
      await expectRefusal(
        await send('/api/storage/files/root', '{}', ada.headers, 'application/json'),
        415,
        'unsupported_media_type',
      );
      await expectRefusal(
        await send('/api/storage/files/root', whole, ada.headers, 'multipart/form-data'),
        415,
        'unsupported_media_type',
      );
      await expectRefusal(
        await send('/api/storage/files/root', whole.subarray(0, -10)),
        400,
        'invalid_request',
        'body',
      );
      await expectRefusal(await send('/api/storage/files/root', 'no parts'), 400, 'invalid_request', 'body');
      await expectRefusal(await send('/api/storage/files/root', ''), 400, 'invalid_request', 'body');
    });
  });

  test('accept a file at the size limit and reject one byte more, with known and unknown length', async () => {
    const exact = multipart([file(Buffer.alloc(FILE_BYTES))]);
    expect((await send('/api/storage/files/root', exact)).status).toBe(201);
    expect((await send('/api/storage/files/root', chunked(exact))).status).toBe(201);
    await expectNothingKept(async () => {
      const over = multipart([file(Buffer.alloc(FILE_BYTES + 1))]);
      await expectRefusal(await send('/api/storage/files/root', over), 413, 'file_too_large');
      await expectRefusal(await send('/api/storage/files/root', chunked(over)), 413, 'file_too_large');
    });
  });

  test('reject an endless body without a file, and the client receives the reason', async () => {
    await expectNothingKept(async () => {
      for (const body of [
        '',
        '--posthouse-test-boundary\r\nContent-Disposition: form-data; name="other"\r\n\r\n',
      ]) {
        const endless = new ReadableStream({
          start: (controller) => controller.enqueue(Buffer.from(body)),
          pull: (controller) => controller.enqueue(Buffer.alloc(65_536, 'x')),
        });
        const path = body === '' ? 'body' : 'other';
        await expectRefusal(await send('/api/storage/files/root', endless), 400, 'invalid_request', path);
      }
    });
  });

  test('reject a far too large body early, and the client receives the reason', async () => {
    await expectNothingKept(async () => {
      const huge = multipart([file(Buffer.alloc(30 * FILE_BYTES))]);
      await expectRefusal(await send('/api/storage/files/root', huge), 413, 'file_too_large');
      await expectRefusal(await send('/api/storage/files/root', chunked(huge)), 413, 'file_too_large');
    });
  });

  test('require a sign-in and the caller’s folder', async () => {
    const body = multipart([file('x')]);
    await expectRefusal(await send('/api/storage/files/root', body, {}), 401, 'login_required');
    const folder = await files.newFolder('Ada’s');
    await expectRefusal(await send(`/api/storage/files/${folder}`, body, grace.headers), 404, 'not_found');
    await expectRefusal(await send('/api/storage/files/nonsense', body), 404, 'not_found');
    await expectRefusal(
      await send('/api/storage/files/01a1fc81-96b9-74a7-89ef-495a4d9ba418', body),
      404,
      'not_found',
    );
    expect((await send(`/api/storage/files/${folder}`, body)).status).toBe(201);
  });

  test('detect the media type from the bytes', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const typeOf = async (part: FormPart) =>
      ((await (await upload(part)).json()) as { MimeType: string }).MimeType;
    expect(await typeOf(file(png, 'a.html', 'text/html'))).toBe('image/png');
    expect(await typeOf(file('<!doctype html><script>alert(1)</script>', 'a.png', 'image/png'))).toBe(
      'text/html',
    );
    expect(await typeOf(file('# Title', 'a.md', 'text/markdown'))).toBe('text/markdown');
    expect(await typeOf(file(Buffer.from([0, 1, 2]), 'a.exe', 'text/plain'))).toBe(
      'application/octet-stream',
    );
  });

  test('leave no bytes when rejected', async () => {
    // Thumbnails of the pictures above may be on their way from the store to their rows.
    const { missing, corrupt } = await until(async () => {
      const found = await runJson<Record<string, number>>(posthouse.settings, 'check');
      return found.orphaned === 0 && found;
    });
    expect([missing, corrupt]).toEqual([0, 0]);
  });

  describe('replacing', () => {
    test('replaces the bytes of a file', async () => {
      const { id } = await files.upload('old', { name: 'old.txt' });
      const before = await files.change(id, { visibility: 1, filePassword: 'secret', accessKey: true });
      const usedBefore = await files.usedBytes();
      const oldTag = (await content(id)).headers.get('ETag');
      const answer = await send(
        `/api/storage/files/${id}/replace`,
        multipart([file('{"new": true}', 'new.json', 'application/json')]),
      );
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        Id: id,
        OriginalName: 'old.txt',
        SizeBytes: 13,
        MimeType: 'application/json',
        Visibility: 1,
      });
      const { directToken, uiToken, accessKeyPlain, hasFilePassword } = before;
      expect(await files.metadata(id)).toMatchObject({
        directToken,
        uiToken,
        accessKeyPlain,
        hasFilePassword,
      });
      const sent = await content(id);
      expect(await sent.text()).toBe('{"new": true}');
      expect(sent.headers.get('ETag')).not.toBe(oldTag);
      expect((await files.usedBytes()) - usedBefore).toBe(10);
    });

    test('keeps the name unless one is given', async () => {
      const { id } = await files.upload('old', { name: 'old.txt' });
      const nameless = await send(
        `/api/storage/files/${id}/replace`,
        multipart([{ name: 'file', value: 'new' }]),
      );
      expect(await nameless.json()).toMatchObject({ OriginalName: 'old.txt' });
      const named = multipart([{ name: 'originalName', value: 'given.txt' }, file('newer')]);
      expect(await (await send(`/api/storage/files/${id}/replace`, named)).json()).toMatchObject({
        OriginalName: 'given.txt',
      });
    });

    test('keeps the name that the file gets meanwhile', async () => {
      const { id } = await files.upload('old', { name: 'old.txt' });
      const form = multipart([file('new')]);
      const rename = () => files.change(id, { originalName: 'renamed.txt' });
      const answer = await send(`/api/storage/files/${id}/replace`, interrupted(form, rename));
      expect(await answer.json()).toMatchObject({ OriginalName: 'renamed.txt', SizeBytes: 3 });
      expect(await files.metadata(id)).toMatchObject({ originalName: 'renamed.txt', sizeBytes: 3 });
    });

    test('changes Last-Modified even within a second', async () => {
      const { id } = await files.upload('old');
      const dates = new Set([(await content(id)).headers.get('Last-Modified')]);
      for (const text of ['one', 'two']) {
        await send(`/api/storage/files/${id}/replace`, multipart([file(text)]));
        dates.add((await content(id)).headers.get('Last-Modified'));
      }
      expect(dates.size).toBe(3);
    });

    test('keeps its Last-Modified ahead when a change follows immediately', async () => {
      const { id } = await files.upload('old');
      const before = (await content(id)).headers.get('Last-Modified') ?? '';
      await send(`/api/storage/files/${id}/replace`, multipart([file('new')]));
      await files.change(id, { visibility: 1 });
      const asked = await posthouse.fetch(`/api/storage/files/${id}/content`, {
        headers: { ...ada.headers, 'If-Modified-Since': before },
      });
      expect([asked.status, await asked.text()]).toEqual([200, 'new']);
    });

    test('that fails leaves the file as it was', async () => {
      const { id } = await files.upload('old', { name: 'old.txt' });
      await expectNothingKept(async () => {
        const path = `/api/storage/files/${id}/replace`;
        await expectRefusal(
          await send(path, multipart([file(Buffer.alloc(FILE_BYTES + 1))])),
          413,
          'file_too_large',
        );
        await expectRefusal(
          await send(path, multipart([{ name: 'originalName', value: 'x' }])),
          400,
          'invalid_request',
          'file',
        );
        await expectRefusal(
          await send(path, multipart([file('x')]).subarray(0, -5)),
          400,
          'invalid_request',
          'body',
        );
      });
      expect(await (await content(id)).text()).toBe('old');
    });

    test('requires the owner', async () => {
      const { id } = await files.upload('old');
      const body = multipart([file('new')]);
      await expectRefusal(await send(`/api/storage/files/${id}/replace`, body, {}), 401, 'login_required');
      await expectRefusal(
        await send(`/api/storage/files/${id}/replace`, body, grace.headers),
        404,
        'not_found',
      );
      await expectRefusal(await send('/api/storage/files/nonsense/replace', body), 404, 'not_found');
      expect(await (await content(id)).text()).toBe('old');
    });
  });
});

/** Returns a stream of `body` that waits for `work` before its last byte. */
function interrupted(body: Uint8Array, work: () => Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(body.subarray(0, -1));
      await work();
      controller.enqueue(body.subarray(-1));
      controller.close();
    },
  });
}
