import { describe, expect, test } from 'bun:test';
import { BACKENDS } from './harness/backends.ts';
import { inboxLinks, QUOTA } from './harness/inbox-links.ts';
import { refusal } from './harness/refusal.ts';
import { tusOf } from './harness/tus.ts';
import { served } from './harness/until.ts';

describe.each(BACKENDS)('resumable uploads through links on %s', (backend) => {
  const links = inboxLinks(backend);
  const { call, owner, posthouse, used } = links;
  async function newLink(settings: object = {}) {
    const link = await links.newLink(settings);
    return {
      ...link,
      /** Requests of a visitor with a separate address. */
      visitor: (headers: Record<string, string> = {}) =>
        tusOf(posthouse, { ...links.newVisitor(), ...headers }, `/public/folder/${link.token}/uploads`),
    };
  }

  test('a file arrives in several requests, under a free name', async () => {
    const link = await newLink();
    await call('POST', '/api/storage/folders', { name: 'other', parentFolderId: link.folder });
    const tus = link.visitor();
    const named = { filename: 'C:\\photos\\ä.txt', uploaderName: ' Eve ', filetype: 'text/plain' };
    expect((await tus.createWith(3, 'one', {}, named)).headers.get('Posthouse-File-Id')).toBeString();
    const path = await tus.begin(6, named);
    expect((await tus.patch(path, 0, 'two')).headers.get('Upload-Offset')).toBe('3');
    expect(await tus.offset(path)).toBe(3);
    const id = (await tus.patch(path, 3, '+++')).headers.get('Posthouse-File-Id');
    expect((await link.list()).map((file) => [file.originalName, file.sender, file.visibility])).toEqual([
      ['ä (2).txt', 'Eve', 0],
      ['ä.txt', 'Eve', 0],
    ]);
    expect(await link.state()).toMatchObject({ uploadCount: 2, uploadedBytes: 9 });
    const again = await tus.send('HEAD', path);
    expect(again.headers.get('Posthouse-File-Id')).toBe(id);
    const content = await posthouse.fetch(`/api/storage/files/${id}/content`, { headers: owner.headers });
    expect(await content.text()).toBe('two+++');
  });

  test('a creation that is repeated with its Idempotency-Key returns the first upload, which counts once', async () => {
    const [link, other] = [await newLink({ maxFiles: 2 }), await newLink()];
    const create = (of: typeof link, key: string, size = 2) =>
      of.visitor({ 'Idempotency-Key': key }).create(size, { filename: 'a' });
    const [first, second] = await Promise.all([create(link, 'a key'), create(link, 'a key')]);
    const paths = [first, second, await create(link, 'a key')].flatMap(({ status, headers }) =>
      status === 201 ? [headers.get('Location')] : [],
    );
    expect([paths.length > 1, new Set(paths).size]).toEqual([true, 1]);
    expect((await create(link, 'another key')).status).toBe(201);
    expect(await refusal(create(link, 'a third key'))).toEqual([410, 'upload_limit_reached']);
    expect(await refusal(create(link, 'a key', 1))).toEqual([409, 'idempotency_conflict']);
    expect((await create(other, 'a key')).status).toBe(201);
    const tus = link.visitor();
    const path = paths[0] ?? '';
    await tus.patch(path, 0, 'ok');
    expect((await create(link, 'a key')).headers.get('Upload-Offset')).toBe('2');
    expect(await link.list()).toHaveLength(1);
    const full = await newLink({ maxFiles: 1 });
    const only = (await create(full, 'a key')).headers.get('Location') ?? '';
    await full.visitor().patch(only, 0, 'ok');
    expect((await create(full, 'a key')).headers.get('Location')).toBe(only);
    expect(await refusal(create(full, 'another key'))).toEqual([410, 'upload_limit_reached']);
  });

  test('visitors decide nothing but name and sender', async () => {
    const tus = (await newLink()).visitor();
    const refused: Record<string, string>[] = [
      { visibility: '1' },
      { filePassword: 'x' },
      { accessKey: 'true' },
      { uploaderName: 'a\nb' },
      { filename: '..' },
    ];
    for (const metadata of refused)
      expect(await refusal(tus.create(1, { filename: 'a', ...metadata }))).toEqual([400, 'invalid_request']);
    expect(await refusal(tus.create(1, {}))).toEqual([400, 'invalid_request']);
    const other = (await call('POST', '/api/storage/folders', { name: 'elsewhere' })).body.id;
    const answer = await tus.createWith(1, 'x', {}, { filename: 'a', folderId: other });
    expect(answer.status).toBe(201);
    expect((await call<object[]>('GET', `/api/storage/files/${other}`)).body).toEqual([]);
  });

  test('nobody reaches the upload of another visitor', async () => {
    const [link, second] = [await newLink(), await newLink()];
    const tus = link.visitor();
    const path = await tus.begin(2);
    const [id = ''] = path.split('/').at(-1)?.split('.') ?? [];
    const base = path.slice(0, path.lastIndexOf('/'));
    const others = [
      base,
      `${base}/${id}`,
      `${base}/${id}.`,
      `${base}/${id}.${'A'.repeat(43)}`,
      `/public/folder/${second.token}/uploads/${path.split('/').at(-1)}`,
      `/api/storage/uploads/${id}`,
    ];
    const member = tusOf(posthouse, owner.headers);
    for (const other of others)
      for (const visitor of [link.visitor(), member]) {
        expect((await visitor.send('HEAD', other)).status).toBeOneOf([401, 404, 405]);
        expect((await visitor.patch(other, 0, 'xx')).status).toBeOneOf([401, 404, 405]);
        expect((await visitor.send('DELETE', other)).status).toBeOneOf([401, 404, 405]);
      }
    const own = await member.begin(1);
    const ownId = own.split('/').at(-1);
    expect((await tus.patch(`${base}/${ownId}`, 0, 'x')).status).toBe(404);
    expect((await tus.patch(own, 0, 'x')).status).toBe(401);
    expect(await tus.offset(path)).toBe(0);
    expect((await tus.patch(path, 0, 'ok')).status).toBe(204);
  });

  test('a password is required to begin, and a new one ends uploads that have begun', async () => {
    const link = await newLink({ password: 'open sesame' });
    expect(await refusal(link.visitor().create(1))).toEqual([403, 'file_password_required']);
    const tus = link.visitor({ 'X-File-Password': 'open sesame' });
    const path = await tus.begin(2);
    expect((await link.visitor().patch(path, 0, 'a')).status).toBe(204);
    await call('PATCH', link.path, { password: 'open barley' });
    expect(await refusal(tus.patch(path, 1, 'b'))).toEqual([404, 'not_found']);
    expect(await link.list()).toEqual([]);
  });

  test('uploads end with their link', async () => {
    expect(await refusal((await newLink({ access: 'view' })).visitor().create(1))).toEqual([
      404,
      'not_found',
    ]);
    const changes: [string, (link: Awaited<ReturnType<typeof newLink>>) => Promise<unknown>][] = [
      ['link_expired', (link) => call('PATCH', link.path, { expiresAt: '2001-01-01T00:00:00Z' })],
      ['not_found', (link) => call('DELETE', link.path)],
      ['not_found', (link) => call('PATCH', link.path, { regenerateToken: true })],
      ['upload_expired', (link) => call('PATCH', link.path, { access: 'view' })],
      ['not_found', (link) => call('DELETE', `/api/storage/folders/${link.folder}?recursive=true`)],
    ];
    for (const [code, change] of changes) {
      const link = await newLink();
      const before = await used();
      const tus = link.visitor();
      const path = await tus.begin(2);
      await tus.patch(path, 0, 'a');
      await change(link);
      expect((await refusal(tus.patch(path, 1, 'b')))[1]).toBe(code);
      expect(await used()).toBe(before);
    }
  });

  test('an upload under way counts toward the limits until it is cancelled', async () => {
    const link = await newLink({ maxFiles: 2, maxBytes: 10 });
    const tus = link.visitor();
    expect(await refusal(tus.create(11))).toEqual([410, 'upload_limit_reached']);
    expect(await refusal(tus.create(300_001))).toEqual([413, 'file_too_large']);
    const begun = await tus.create(8);
    const expires = Date.parse(begun.headers.get('Upload-Expires') ?? '');
    expect(expires - Date.parse(begun.headers.get('Date') ?? '')).toBeWithin(3_590_000, 3_610_001);
    const path = begun.headers.get('Location') ?? '';
    expect(await refusal(tus.create(3))).toEqual([410, 'upload_limit_reached']);
    const form = new FormData();
    form.append('file', new Blob(['abc']), 'abc');
    const send = () => posthouse.fetch(`/public/folder/${link.token}/files`, { method: 'POST', body: form });
    expect(await refusal(send())).toEqual([410, 'upload_limit_reached']);
    expect((await tus.send('DELETE', path)).status).toBe(204);
    expect((await send()).status).toBe(200);
    expect((await tus.createWith(7, '1234567')).status).toBe(201);
    expect(await refusal(tus.create(0))).toEqual([410, 'upload_limit_reached']);
    expect(await link.state()).toMatchObject({ uploadCount: 2, uploadedBytes: 10 });
  });

  test('twenty guests at once send as many files as fit', async () => {
    const link = await newLink({ maxBytes: 370 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const tus = link.visitor();
        return await Promise.all(
          Array.from({ length: 5 }, (_, index) =>
            served(() => tus.createWith(10, '0123456789', {}, { filename: `${index}.jpg` })),
          ),
        );
      }),
    );
    const statuses = answers.flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(37);
    expect(statuses.filter((status) => status === 410)).toHaveLength(100 - 37);
    const stored = await link.list();
    expect(new Set(stored.map(({ originalName }) => originalName)).size).toBe(37);
    expect(await link.state()).toMatchObject({ uploadCount: 37, uploadedBytes: 370 });
  });

  test('the quota of the workspace holds', async () => {
    const link = await newLink({ maxBytes: 10 * QUOTA });
    // Less than a quarter, since other tests leave unfinished uploads of a few bytes.
    const size = Math.floor((QUOTA - (await used())) / 4) - 20;
    const tus = link.visitor();
    const begun = await Promise.all(Array.from({ length: 6 }, () => tus.create(size)));
    expect(begun.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 507, 507]);
    for (const { headers } of begun)
      if (headers.has('Location')) await tus.send('DELETE', headers.get('Location') ?? '');
  });

  test('an address may begin a number of uploads per minute', async () => {
    const link = await newLink();
    const tus = link.visitor();
    const answers = await Promise.all(Array.from({ length: 120 }, () => tus.create(1)));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('pages of other origins may send files', async () => {
    const link = await newLink();
    const answer = await posthouse.fetch(`/public/folder/${link.token}/uploads`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([answer.headers.get('Access-Control-Allow-Origin'), answer.headers.get('Tus-Version')]).toEqual([
      '*',
      '1.0.0',
    ]);
    const sent = await link.visitor({ Origin: 'https://elsewhere.example' }).createWith(1, 'x');
    expect([sent.status, sent.headers.get('Access-Control-Allow-Origin')]).toEqual([201, '*']);
    const files = `/public/folder/${link.token}/files`;
    const preflight = await posthouse.fetch(files, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('Access-Control-Allow-Methods')]).toEqual([204, 'POST']);
    const body = new FormData();
    body.append('file', new File(['x'], 'x.txt'));
    for (const answer of [
      sent,
      await posthouse.fetch(files, { method: 'POST', body }),
      await posthouse.fetch(`/api/storage/public/folder/${link.token}`),
    ]) {
      const exposed = answer.headers.get('Access-Control-Expose-Headers')?.split(', ');
      expect([answer.url, exposed]).toEqual([
        answer.url,
        expect.arrayContaining(['Retry-After', 'Posthouse-Ignored-Fields']),
      ]);
    }
  });
});
