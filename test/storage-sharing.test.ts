import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata } from './harness/files.ts';
import {
  addPerson,
  type Posthouse,
  type PosthouseProcess,
  startPosthouse,
  startProcess,
} from './harness/posthouse.ts';

const TEXT = 'the words of the file\n';

describe.each(BACKENDS)('sharing on %s', (backend) => {
  let settings: Record<string, string>;
  let first: PosthouseProcess;
  let posthouse: Posthouse;
  let owner: ReturnType<typeof filesOf>;
  let ownerHeaders: Record<string, string>;
  beforeAll(async () => {
    // As a trusted proxy, a test can have any number of client addresses.
    settings = { ...(await freshSettings(backend)), POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1,::1' };
    first = await startProcess(settings);
    posthouse = first;
    const ann = await addPerson(settings, 'ann@example.org');
    ownerHeaders = ann.headers;
    owner = filesOf(posthouse, ownerHeaders);
  });
  afterAll(() => posthouse.stop());

  type Query = Record<string, string>;
  const withQuery = (path: string, query: Query) => `${path}?${new URLSearchParams(query)}`;
  const direct = (file: Metadata, query: Query = {}) =>
    withQuery(`/api/storage/public/media/${file.directToken}`, query);
  const ui = (file: Metadata, query: Query = {}) => withQuery(`/public/media/${file.uiToken}`, query);
  const byId = (file: Metadata, query: Query = {}) =>
    withQuery(`/api/storage/public/private/${file.id}`, query);
  const codeOf = async (path: string, init?: RequestInit) => {
    const answer = await posthouse.fetch(path, init);
    if (answer.ok) return (await answer.text()) === TEXT ? 'bytes' : 'other bytes';
    return ((await answer.json()) as { code: string }).code;
  };
  const from = (address: string, headers: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, ...headers },
  });

  test('access by visibility, link and secrets follows the documented table', async () => {
    const file = await owner.upload(TEXT);
    expect(file.visibility).toBe(0);
    // Private without a key: no access, with the same response as for an unknown token.
    for (const path of [direct(file), ui(file), byId(file), byId(file, { key: '' })])
      expect(await codeOf(path)).toBe('not_found');

    const keyed = await owner.change(file.id, { accessKey: true });
    const key = keyed.accessKeyPlain ?? '';
    expect(key.length).toBeGreaterThanOrEqual(22);
    expect(await codeOf(direct(file))).toBe('access_key_required');
    expect(await codeOf(direct(file, { accessKey: 'wrong' }))).toBe('access_key_wrong');
    expect(await codeOf(direct(file, { accessKey: key }))).toBe('bytes');
    expect(await codeOf(ui(file, { accessKey: key }))).toBe('bytes');
    expect(await codeOf(byId(file, { key }))).toBe('bytes');
    expect(await codeOf(byId(file))).toBe('access_key_required');
    expect(await codeOf(direct(file), { headers: { 'X-Access-Key': key } })).toBe('bytes');

    await owner.change(file.id, { filePassword: 'pass word' });
    // The key is checked before the password.
    expect(await codeOf(direct(file, { filePassword: 'pass word' }))).toBe('access_key_required');
    expect(await codeOf(direct(file, { accessKey: key }))).toBe('file_password_required');
    expect(await codeOf(direct(file, { accessKey: key, filePassword: 'no' }))).toBe('file_password_wrong');
    for (const path of [
      direct(file, { accessKey: key, filePassword: 'pass word' }),
      byId(file, { key, filePassword: 'pass word' }),
    ]) {
      expect(await codeOf(path)).toBe('bytes');
    }
    expect(await codeOf(ui(file), { headers: { 'X-Access-Key': key, 'X-File-Password': 'pass word' } })).toBe(
      'bytes',
    );

    await owner.change(file.id, { visibility: 1 });
    expect(await codeOf(direct(file))).toBe('access_key_required');
    await owner.change(file.id, { accessKey: null });
    expect(await codeOf(direct(file))).toBe('file_password_required');
    expect(await codeOf(direct(file, { filePassword: 'pass word' }))).toBe('bytes');
    // Access by id requires a key on the file.
    expect(await codeOf(byId(file, { key, filePassword: 'pass word' }))).toBe('not_found');
    await owner.change(file.id, { filePassword: null });
    for (const path of [direct(file), ui(file)]) expect(await codeOf(path)).toBe('bytes');
    expect(await codeOf(byId(file))).toBe('not_found');
  });

  test('unknown files and private ones without a key are indistinguishable', async () => {
    const file = await owner.upload(TEXT);
    const [hidden, unknown] = await Promise.all([
      posthouse.fetch(direct(file)),
      posthouse.fetch('/api/storage/public/media/unknown'),
    ]);
    const plain = async (answer: Response) => ({
      status: answer.status,
      body: { ...((await answer.json()) as object), requestId: '' },
    });
    expect(await plain(hidden)).toEqual(await plain(unknown));
  });

  test('listings and metadata leak no secret', async () => {
    const file = await owner.upload(TEXT, { name: 'leak.txt' });
    const { accessKeyPlain = '' } = await owner.change(file.id, { accessKey: true, filePassword: 'hunter2' });
    const list = await (await owner.get('/api/storage/files/root?search=leak')).text();
    for (const secret of [accessKeyPlain, file.directToken, file.uiToken, 'hunter2', 'argon2'])
      expect(list).not.toContain(secret);
    const metadata = await (await owner.get(`/api/storage/files/${file.id}/metadata`)).text();
    expect(metadata).toContain(accessKeyPlain);
    for (const secret of ['hunter2', 'argon2', 'blob']) expect(metadata).not.toContain(secret);
    expect(posthouse.output()).not.toContain(accessKeyPlain);
  });

  test('new tokens end the old links', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1 });
    const renewed = await owner.change(file.id, { regenerateTokens: true });
    for (const path of [direct(file), ui(file)]) expect(await codeOf(path)).toBe('not_found');
    for (const path of [direct(renewed), ui(renewed)]) expect(await codeOf(path)).toBe('bytes');
  });

  test('the links of a file end when it is private again', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1 });
    // The row of a file that is read repeatedly is kept.
    for (let time = 0; time < 3; time++)
      for (const path of [direct(file), ui(file)]) expect(await codeOf(path)).toBe('bytes');
    await owner.change(file.id, { visibility: 0 });
    for (const path of [direct(file), ui(file), `/public/file/${file.uiToken}`])
      expect(await codeOf(path)).toBe('not_found');
  });

  test('a link expires at its time', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await codeOf(direct(file))).toBe('bytes');
    await owner.change(file.id, { expiresAt: new Date(Date.now() - 1).toISOString() });
    expect(await codeOf(direct(file))).toBe('link_expired');
    expect((await owner.get(`/api/storage/files/${file.id}/content`)).status).toBe(200);
    await owner.change(file.id, { expiresAt: null });
    expect(await codeOf(direct(file))).toBe('bytes');
    expect((await owner.patch(file.id, { expiresAt: 'tomorrow' })).status).toBe(400);
  });

  test('a link ends at its download limit; ranges, repeats, HEAD and 304 do not count', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1, maxDownloads: 2 });
    const head = await posthouse.fetch(direct(file), { method: 'HEAD', ...from('192.0.2.9') });
    const etag = head.headers.get('ETag') ?? '';
    expect(head.status).toBe(200);
    expect((await posthouse.fetch(direct(file), from('192.0.2.9', { 'If-None-Match': etag }))).status).toBe(
      304,
    );
    expect(await codeOf(direct(file), from('192.0.2.1'))).toBe('bytes');
    expect((await posthouse.fetch(direct(file), from('192.0.2.1', { Range: 'bytes=0-3' }))).status).toBe(206);
    expect(await codeOf(ui(file), from('192.0.2.1'))).toBe('bytes');
    expect((await owner.metadata(file.id)).downloadCount).toBe(1);
    const rush = await Promise.all(
      Array.from({ length: 8 }, (_, index) => codeOf(direct(file), from(`192.0.2.${100 + index}`))),
    );
    expect(rush.filter((code) => code === 'bytes').length).toBe(1);
    expect(rush.filter((code) => code === 'download_limit_reached').length).toBe(7);
    expect(await codeOf(direct(file), from('192.0.2.1'))).toBe('bytes');
    expect((await owner.metadata(file.id)).downloadCount).toBe(2);
  });

  test('ten wrong secrets from one address block it, also after a restart, until the secret changes', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1, filePassword: 'right' });
    const guess = (filePassword: string, address: string) =>
      codeOf(direct(file, { filePassword }), from(address));
    for (let count = 0; count < 10; count++)
      expect(await guess(`wrong ${count}`, '198.51.100.7')).toBe('file_password_wrong');
    expect(await guess('right', '198.51.100.7')).toBe('too_many_attempts');
    const refused = await posthouse.fetch(direct(file, { filePassword: 'right' }), from('198.51.100.7'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60);
    expect(await guess('right', '198.51.100.8')).toBe('bytes');
    expect((await owner.get(`/api/storage/files/${file.id}/content`)).status).toBe(200);
    await first.kill();
    posthouse = await startPosthouse({ ...settings, PORT: String(new URL(posthouse.url).port) });
    expect(await guess('right', '198.51.100.7')).toBe('too_many_attempts');
    await owner.change(file.id, { filePassword: 'another' });
    expect(await guess('another', '198.51.100.7')).toBe('bytes');
  });

  test('a /64 of IPv6 counts as one address', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1, accessKey: true });
    for (let count = 0; count < 10; count++)
      await codeOf(direct(file, { accessKey: 'no' }), from(`2001:db8:1:2::${count}`));
    expect(await codeOf(direct(file, { accessKey: 'no' }), from('2001:db8:1:2:ffff::1'))).toBe(
      'too_many_attempts',
    );
    expect(await codeOf(direct(file, { accessKey: 'no' }), from('2001:db8:1:3::1'))).toBe('access_key_wrong');
  });

  test('pages of every origin may load the bytes, without credentials', async () => {
    const file = await owner.upload(TEXT);
    await owner.change(file.id, { visibility: 1 });
    const got = await posthouse.fetch(direct(file), { headers: { Origin: 'https://other.example' } });
    expect(got.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(got.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(got.headers.get('Access-Control-Expose-Headers')).toBe(
      'Content-Range, Content-Disposition, ETag, Repr-Digest, Retry-After, Posthouse-Ignored-Fields',
    );
    const preflight = await posthouse.fetch(direct(file), {
      method: 'OPTIONS',
      headers: { Origin: 'https://other.example' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe(
      'Range, If-Range, X-Access-Key, X-File-Password',
    );
    const refused = await posthouse.fetch('/api/storage/public/media/unknown', {
      headers: { Origin: 'https://other.example' },
    });
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
    const own = await owner.get(`/api/storage/files/${file.id}/content`);
    expect(own.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('bytes are sent with their media type and a policy against scripts', async () => {
    const file = await owner.upload(TEXT, { name: 'Größe "1".txt' });
    await owner.change(file.id, { visibility: 1 });
    const answer = await posthouse.fetch(direct(file));
    const header = (name: string) => answer.headers.get(name);
    expect(header('Content-Length')).toBe(String(TEXT.length));
    expect(header('Content-Disposition')).toBe(
      `attachment; filename="Gr__e _1_.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt`,
    );
    expect(header('Content-Security-Policy')).toBe("default-src 'none'; sandbox");
    expect(header('X-Content-Type-Options')).toBe('nosniff');
    expect(header('Referrer-Policy')).toBe('no-referrer');
    expect(header('Cache-Control')).toBe('private, no-cache');
    expect(header('Repr-Digest')).toBe(`sha-256=:${Buffer.from(file.sha256, 'hex').toString('base64')}:`);
    expect(header('Accept-Ranges')).toBe('bytes');
    const inline = await posthouse.fetch(direct(file, { inline: '1' }));
    expect(inline.headers.get('Content-Disposition')).toStartWith('inline;');
    const page = await owner.upload('<!doctype html><script>alert(1)</script>', { name: 'page.html' });
    await owner.change(page.id, { visibility: 1 });
    expect(
      (await posthouse.fetch(direct(page, { inline: '1' }))).headers.get('Content-Disposition'),
    ).toStartWith('attachment;');
  });

  test('an XML document claimed to be a video is not displayed', async () => {
    const form = new FormData();
    const page = '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>';
    form.set('file', new Blob([page], { type: 'video/x+xml' }), 'film');
    form.set('visibility', '1');
    const made = await posthouse.fetch('/api/storage/files/root', {
      method: 'POST',
      headers: ownerHeaders,
      body: form,
    });
    const file = await owner.metadata(((await made.json()) as { Id: string }).Id);
    expect(
      (await posthouse.fetch(direct(file, { inline: '1' }))).headers.get('Content-Disposition'),
    ).toStartWith('attachment;');
  });

  test('invalid changes are rejected by field', async () => {
    const file = await owner.upload(TEXT);
    for (const [field, value] of Object.entries({
      visibility: 2,
      filePassword: 5,
      accessKey: 'yes',
      maxDownloads: 0,
      originalName: 'a\u0000b',
      regenerateTokens: 'yes',
    })) {
      const refused = await owner.patch(file.id, { [field]: value });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: field }] });
    }
  });
});
