import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { inboxLinks, QUOTA } from './harness/inbox-links.ts';
import { MULTIPART_TYPE, multipart } from './harness/multipart.ts';
import { until } from './harness/until.ts';

interface Sent {
  code?: string;
  files: { name: string; id?: string; status: number; code?: string }[];
}

const resultsOf = ({ files }: Sent) => files.map(({ name, status, code }) => [name, status, code]);

describe.each(BACKENDS)('links that take files on %s', (backend) => {
  const { call, newLink, newVisitor, owner, posthouse, used } = inboxLinks(backend);
  /** Sends files as a visitor with a separate address. @param parts names and contents; text = a field */
  async function send(
    { token }: { token: string },
    parts: readonly (readonly [name: string, content: string | { text: string }])[],
    headers: Record<string, string> = {},
  ) {
    const form = new FormData();
    for (const [name, content] of parts) {
      if (typeof content === 'string') form.append('file', new Blob([content]), name);
      else form.append(name, content.text);
    }
    const answer = await posthouse.fetch(`/public/folder/${token}/files`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { ...newVisitor(), ...headers },
    });
    const isJson = answer.headers.get('Content-Type')?.includes('json');
    return { status: answer.status, answer, body: (isJson ? await answer.json() : {}) as Sent };
  }

  test('several files arrive, each on its own, with the name of their sender', async () => {
    const link = await newLink();
    const { status, body } = await send(link, [
      ['a.txt', 'one'],
      ['a.txt', 'two'],
      ['..', 'no name'],
      ['C:\\photos\\b.txt', ''],
      ['uploaderName', { text: ' Eve ' }],
    ]);
    expect(status).toBe(200);
    expect(resultsOf(body)).toEqual([
      ['a.txt', 201, undefined],
      ['a.txt', 201, undefined],
      ['..', 400, 'invalid_request'],
      ['C:\\photos\\b.txt', 201, undefined],
    ]);
    const stored = await link.list();
    expect(stored.map(({ originalName, sender, visibility }) => [originalName, sender, visibility])).toEqual([
      ['a (2).txt', 'Eve', 0],
      ['a.txt', 'Eve', 0],
      ['b.txt', 'Eve', 0],
    ]);
    expect(await link.state()).toMatchObject({ uploadCount: 3, uploadedBytes: 6 });
    const content = await posthouse.fetch(`/api/storage/files/${body.files[0]?.id}/content`, {
      headers: owner.headers,
    });
    expect(await content.text()).toBe('one');
  });

  test('a link that takes files only shows none', async () => {
    const link = await newLink();
    await send(link, [['a.txt', 'one']]);
    const seen = await posthouse.fetch(`/api/storage/public/folder/${link.token}`);
    expect(await seen.json()).toMatchObject({ folder: null, files: [], hidden: 0 });
  });

  test.each<[string, object | null]>([
    ['deleted', null],
    ['given another token', { regenerateToken: true }],
    ['given a password', { password: 'correct horse' }],
    ['changed to show files', { access: 'view' }],
    ['expired', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('a link that is %s takes no file that is on its way', async (_, change) => {
    const link = await newLink();
    const body = multipart(
      ['one', 'two'].map((name) => ({ name: 'file', fileName: name, value: 'x'.repeat(1_000) })),
    );
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (at === 1) await ended;
        if (at === 2) return controller.close();
        controller.enqueue(at === 0 ? body.subarray(0, -500) : body.subarray(-500));
        at++;
      },
    });
    const answer = posthouse.fetch(`/public/folder/${link.token}/files`, {
      method: 'POST',
      body: stream,
      headers: { 'Content-Type': MULTIPART_TYPE },
    });
    await until(async () => (await link.list()).length === 1);
    const path = `/api/storage/links/${link.id}`;
    expect((await call(change ? 'PATCH' : 'DELETE', path, change ?? undefined)).status).toBeLessThan(300);
    end();
    const { files } = (await (await answer).json()) as Sent;
    expect(files.map(({ status }) => status)).toEqual([201, 404]);
    expect(await link.list()).toHaveLength(1);
  });

  test('a file that exceeds the bytes of a link is refused while it arrives', async () => {
    const link = await newLink({ maxBytes: 1_000 });
    const { status, body } = await send(link, [['large', 'x'.repeat(300_001)]]);
    expect([status, body.code]).toEqual([410, 'upload_limit_reached']);
  });

  test('the response is the error of the first file when none was stored', async () => {
    const link = await newLink({ maxBytes: 900_000 });
    const before = await used();
    const large = 'x'.repeat(300_001);
    const { status, body } = await send(link, [
      ['large', large],
      ['..', 'no name'],
    ]);
    expect([status, body.code]).toEqual([413, 'file_too_large']);
    const mixed = await send(link, [
      ['large', large],
      ['small', 'small'],
    ]);
    expect([mixed.status, mixed.body.files.map(({ code }) => code)]).toEqual([
      200,
      ['file_too_large', undefined],
    ]);
    expect(await used()).toBe(before + 5);
    expect((await send(link, [])).status).toBe(400);
    expect((await send(link, [['', '']])).status).toBe(400);
    expect((await send(link, [['other', { text: 'x' }]])).status).toBe(400);
  });

  test('a link to see files takes none, nor does one that has ended', async () => {
    expect((await send(await newLink({ access: 'view' }), [['a', 'b']])).status).toBe(404);
    expect((await send({ token: 'nothing' }, [['a', 'b']])).status).toBe(404);
    const link = await newLink();
    await call('DELETE', `/api/storage/folders/${link.folder}?recursive=true`);
    expect((await send(link, [['a', 'b']])).status).toBe(404);
    const expired = await newLink({ expiresAt: '2001-01-01T00:00:00Z' });
    const { status, body } = await send(expired, [['a', 'b']]);
    expect([status, body.code]).toEqual([410, 'link_expired']);
  });

  test('a password is required', async () => {
    const link = await newLink({ password: 'open sesame' });
    const missing = await send(link, [['a', 'b']]);
    expect([missing.status, missing.body.code]).toEqual([403, 'file_password_required']);
    const right = await send(link, [['a', 'b']], { 'X-File-Password': 'open sesame' });
    expect(right.status).toBe(200);
    expect(await link.list()).toHaveLength(1);
  });

  test('of many visitors at once, exactly as many files arrive as the link takes', async () => {
    const link = await newLink({ maxFiles: 37 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        send(
          link,
          Array.from({ length: 5 }, (_, index) => [`${index}.jpg`, 'x'.repeat(10)] as const),
        ),
      ),
    );
    const results = answers.flatMap(({ status, body }) => body.files ?? [{ status, code: body.code }]);
    const isRefused = ({ code }: { code?: string }) => code === 'upload_limit_reached';
    const taken = results.filter((file) => !isRefused(file));
    expect(taken.filter(({ id }) => !id)).toEqual([]);
    expect(taken).toHaveLength(37);
    expect(new Set((await link.list()).map(({ originalName }) => originalName)).size).toBe(37);
    expect(await link.state()).toMatchObject({ uploadCount: 37, uploadedBytes: 370 });
    const { status, body } = await send(link, [['more', 'x']]);
    expect([status, body.code]).toEqual([410, 'upload_limit_reached']);
  });

  test('of many visitors at once, exactly as many bytes arrive as the link takes', async () => {
    const link = await newLink({ maxBytes: 25 });
    await Promise.all(Array.from({ length: 6 }, () => send(link, [['ten', '0123456789']])));
    expect(await link.list()).toHaveLength(2);
    expect((await send(link, [['five', '12345']])).status).toBe(200);
    expect(await link.state()).toMatchObject({ uploadCount: 3, uploadedBytes: 25 });
  });

  test('the quota of the workspace holds', async () => {
    const link = await newLink({ maxBytes: 10 * QUOTA });
    const free = QUOTA - (await used());
    const size = Math.floor(free / 4);
    const { status, body } = await send(
      link,
      Array.from({ length: 5 }, (_, index) => [String(index), 'x'.repeat(size)] as const),
    );
    expect([status, body.files.map(({ status, code }) => code ?? status)]).toEqual([
      200,
      [201, 201, 201, 201, 'quota_exceeded'],
    ]);
    expect(await link.state()).toMatchObject({ uploadCount: 4 });
    await call('DELETE', `/api/storage/folders/${link.folder}?recursive=true`);
  });

  test('an upload that breaks off does not store its last file', async () => {
    const link = await newLink();
    const before = await used();
    const body =
      '--b\r\nContent-Disposition: form-data; name="file"; filename="whole"\r\n\r\nwhole\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="half"\r\n\r\nhal';
    const answer = await posthouse.fetch(`/public/folder/${link.token}/files`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect([answer.status, resultsOf((await answer.json()) as Sent)]).toEqual([
      200,
      [
        ['whole', 201, undefined],
        ['half', 400, 'invalid_request'],
      ],
    ]);
    expect((await link.list()).map(({ originalName }) => originalName)).toEqual(['whole']);
    expect(await used()).toBe(before + 5);
  });

  test('the complete files before an invalid part are stored, and nothing of the others', async () => {
    const link = await newLink();
    const files = multipart(['a', 'b'].map((fileName) => ({ name: 'file', fileName, value: fileName })));
    const answer = await posthouse.fetch(`/public/folder/${link.token}/files`, {
      method: 'POST',
      // All of it arrives in one chunk.
      body: files.toString().replace('filename="b"', '$&\r\n\r\nb\r\n--posthouse-test-boundary\r\nno: name'),
      headers: { 'Content-Type': MULTIPART_TYPE, ...newVisitor() },
    });
    expect([answer.status, resultsOf((await answer.json()) as Sent)]).toEqual([
      200,
      [
        ['a', 201, undefined],
        ['b', 201, undefined],
        ['body', 400, 'invalid_request'],
      ],
    ]);
    expect((await link.list()).map(({ originalName }) => originalName)).toEqual(['a', 'b']);
  });

  test('an invalid field before the files refuses them all', async () => {
    const link = await newLink();
    for (const [name, text] of [
      ['uploaderName', 'x'.repeat(101)],
      ['note', 'hello'],
    ] as const) {
      const { status, body } = await send(link, [
        [name, { text }],
        ['a', 'one'],
        ['b', 'two'],
      ]);
      expect([name, status, body.code]).toEqual([name, 400, 'invalid_request']);
    }
    expect(await link.list()).toEqual([]);
  });

  test.each([
    ['with a control character', 'uploaderName', ['a\tb']],
    ['that is sent twice', 'uploaderName', ['Eve', 'Eve']],
    ['that is unknown', 'note', ['hello']],
  ])('a field %s after a file is a result, and the file stays', async (_, name, texts) => {
    const link = await newLink();
    const { status, body } = await send(link, [
      ['a', 'one'],
      ...texts.map((text) => [name, { text }] as const),
    ]);
    expect([status, resultsOf(body)]).toEqual([
      200,
      [
        ['a', 201, undefined],
        [name, 400, 'invalid_request'],
      ],
    ]);
    expect((await link.list()).map(({ originalName, sender }) => [originalName, sender])).toEqual([
      ['a', undefined],
    ]);
  });

  test('of an invalid form, the response is the error of the first file when none was stored', async () => {
    const link = await newLink({ maxBytes: 900_000 });
    const { status, body } = await send(link, [
      ['large', 'x'.repeat(300_001)],
      ['note', { text: 'hello' }],
    ]);
    expect([status, body.code]).toEqual([413, 'file_too_large']);
  });

  test.each([
    ['without a name', 'filename=""', ''],
    ['that was refused for its size', 'filename="large"', 'x'.repeat(300_001)],
  ])('a form that ends within a file %s is a result', async (_, fileName, content) => {
    const link = await newLink();
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="file"; ${name}\r\n\r\n`;
    const response = await posthouse.fetch(`/public/folder/${link.token}/files`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: `${part('filename="a"')}one\r\n${part(fileName)}${content}`,
    });
    expect(response.status).toBe(200);
    const { files } = (await response.json()) as { files: { name: string; status: number; code?: string }[] };
    expect([files[0]?.status, files.at(-1)]).toEqual([
      201,
      { name: 'body', status: 400, code: 'invalid_request' },
    ]);
  });

  test('files that are followed by an invalid part have the sender that was sent before them', async () => {
    const link = await newLink();
    await send(link, [
      ['uploaderName', { text: 'Eve' }],
      ['a', 'one'],
      ['note', { text: 'hello' }],
    ]);
    expect((await link.list()).map(({ sender }) => sender)).toEqual(['Eve']);
  });

  test('the form of a page leads to a page', async () => {
    const link = await newLink();
    const browser = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate', Accept: 'text/html' };
    const { status, answer } = await send(link, [['a.txt', 'one']], browser);
    expect([status, answer.headers.get('Location')]).toEqual([303, `/public/folder/${link.token}/sent`]);
    const thanks = await posthouse.fetch(`/public/folder/${link.token}/sent`, { headers: browser });
    expect([thanks.status, await thanks.text()]).toEqual([200, expect.stringContaining('Thank you')]);
    const partly = await send(
      link,
      [
        ['<b>.txt', 'one'],
        ['<i>.txt', 'x'.repeat(300_001)],
      ],
      browser,
    );
    const text = await partly.answer.text();
    expect([partly.status, text.includes('1 of your 2 files'), text.includes('&lt;i&gt;.txt')]).toEqual([
      200,
      true,
      true,
    ]);
  });

  test('an address may send a number of requests per minute', async () => {
    const link = await newLink();
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    const answers = await Promise.all(Array.from({ length: 120 }, () => send(link, [], headers)));
    const refused = answers.find(({ status }) => status === 429)?.answer;
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});
