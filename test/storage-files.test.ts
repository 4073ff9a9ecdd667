import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf, type Metadata, nextOf } from './harness/files.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const SETTINGS = { POSTHOUSE_WORKSPACE_BYTES: '1000000' };

describe.each(BACKENDS)('files on %s', (backend) => {
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let bob: Awaited<ReturnType<typeof addPerson>>;
  let files: ReturnType<typeof filesOf>;
  beforeAll(async () => {
    const settings = { ...(await freshSettings(backend)), ...SETTINGS };
    posthouse = await startPosthouse(settings);
    ann = await addPerson(settings, 'ann@example.org');
    bob = await addPerson(settings, 'bob@example.org');
    files = filesOf(posthouse, ann.headers);
  });
  afterAll(() => posthouse.stop());

  const list = async (id: string, query: Record<string, string> = {}) => {
    const answer = await files.get(`/api/storage/files/${id}?${new URLSearchParams(query)}`);
    return {
      status: answer.status,
      link: answer.headers.get('Link'),
      items: (await answer.json()) as Metadata[],
    };
  };
  const pathOf = async (id: string) => {
    const { path } = await files.read<{ path: { name: string }[] }>(`/api/storage/folders/${id}`);
    return path.map(({ name }) => name);
  };

  test('the newest and the shared files of a workspace are listed in pages', async () => {
    const own = await addPerson(posthouse.settings, 'eve@example.org');
    const eves = filesOf(posthouse, own.headers);
    const made: string[] = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt'])
      made.push((await eves.upload(name, { name })).id);
    const [plain = '', open = '', keyed = '', gone = ''] = made;
    await eves.patch(open, { visibility: 1, filePassword: 'secret' });
    await eves.patch(keyed, { accessKey: true, expiresAt: '2090-01-01T00:00:00Z' });
    await eves.patch(gone, { visibility: 1 });
    await eves.remove(gone);
    const pages = (path: string) => eves.readPages<Record<string, unknown>>(path);
    expect((await pages('/api/storage/recent?limit=1')).map(({ id }) => id)).toEqual([keyed, open, plain]);
    const shared = await pages('/api/storage/links?limit=1');
    expect(shared).toMatchObject([
      {
        kind: 'file',
        id: keyed,
        hasPassword: false,
        hasAccessKey: true,
        expiresAt: '2090-01-01T00:00:00.000Z',
      },
      { kind: 'file', id: open, hasPassword: true, visibility: 1, expiresAt: null },
    ]);
    const { uiToken } = await eves.metadata(open);
    expect(shared[1]).toMatchObject({
      token: uiToken,
      url: expect.stringContaining(`/public/file/${uiToken}`),
    });
    for (const list of ['recent', 'links']) {
      const others = `/api/storage/${list}?workspaceId=${shared[0]?.workspaceId}`;
      expect((await eves.get(others)).status).toBe(200);
      expect((await files.get(others)).status).toBe(404);
    }
  });

  test('a search finds files by their names in all folders of the caller', async () => {
    const own = await addPerson(posthouse.settings, 'ida@example.org');
    const idas = filesOf(posthouse, own.headers);
    const inner = await idas.newFolder('inner', await idas.newFolder('outer'));
    await idas.upload('1', { name: 'Über 100%.txt' });
    await idas.upload('2', { name: 'an über_file.txt', folder: inner });
    await files.upload('3', { name: 'über.txt' });
    const find = async (query: string, more = '') => {
      const answer = await idas.get(`/api/storage/search?query=${encodeURIComponent(query)}${more}`);
      const found = answer.ok ? ((await answer.json()) as (Metadata & { path: string })[]) : [];
      return { answer, found: found.map(({ originalName, path }) => [originalName, path]) };
    };
    const [deep, high] = [
      ['an über_file.txt', 'outer / inner'],
      ['Über 100%.txt', ''],
    ];
    expect((await find('ÜBER')).found).toEqual([deep, high]);
    expect((await find('üb')).found).toEqual([high]);
    expect((await find('%.t')).found).toEqual([high]);
    expect((await find('r_f')).found).toEqual([deep]);
    const first = await find('über', '&limit=1');
    expect(first.found).toEqual([deep]);
    const next = nextOf(first.answer) ?? '';
    expect((await idas.read<Metadata[]>(next)).map(({ originalName }) => originalName)).toEqual([
      'Über 100%.txt',
    ]);
    expect((await find(' ')).found).toEqual([deep, high]);
    const byTaken = await find('über', '&sort=taken&limit=1');
    expect([byTaken.found, byTaken.answer.headers.get('Posthouse-Ignored-Fields')]).toEqual([[deep], null]);
    const after = /cursor=([^&>]+)/.exec(byTaken.answer.headers.get('Link') ?? '')?.[1] ?? '';
    expect((await find('über', `&sort=taken&cursor=${after}`)).found).toEqual([high]);
    for (const more of ['&sort=name', '&cursor=abc', '&sort=taken&cursor=abc'])
      expect([more, (await find('über', more)).answer.status]).toEqual([more, 400]);
    for (const [date, all] of [
      ['2001-12-31', true],
      ['2100-01-01', false],
    ] as const) {
      expect((await find('über', `&after=${date}`)).found).toEqual(all ? [deep, high] : []);
      expect((await find('über', `&before=${date}T00:00:00Z`)).found).toEqual(all ? [] : [deep, high]);
    }
    expect((await find('über', '&before=2001-13-01')).answer.status).toBe(400);
    const { workspaceId } = await files.read<{ workspaceId: string }>('/api/me');
    expect((await find('über', `&workspaceId=${workspaceId}`)).answer.status).toBe(404);
  });

  test('a listing returns every page in every order, without gaps or repeats', async () => {
    const id = await files.newFolder('pages');
    const names = ['b.txt', 'A.txt', 'ä.txt', 'c.txt', 'a.txt', '10.txt', '9.txt', 'a.txt'];
    for (const [index, name] of names.entries())
      await files.upload('x'.repeat((index * 7) % 5), { name, folder: id });
    const keys = { name: 'originalName', size: 'sizeBytes', date: 'dateCreated', type: 'mimeType' } as const;
    for (const sort of Object.keys(keys)) {
      const ids: Record<string, string[]> = {};
      for (const order of ['asc', 'desc']) {
        const query = new URLSearchParams({ limit: '3', sort, order });
        const seen = await files.readPages<Metadata>(`/api/storage/files/${id}?${query}`);
        expect(new Set(seen.map((file) => file.id)).size).toBe(names.length);
        ids[order] = seen.map((file) => file.id);
        if (sort === 'size')
          expect(seen.map((file) => file.sizeBytes)).toEqual(
            seen.map((file) => file.sizeBytes).sort((a, b) => (order === 'asc' ? a - b : b - a)),
          );
      }
      expect(ids.asc).toEqual(ids.desc?.toReversed() ?? []);
    }
    expect((await list(id)).link).toBeNull();
    expect((await list(id)).items.map((file) => file.originalName)).toEqual([
      '10.txt',
      '9.txt',
      'A.txt',
      'a.txt',
      'a.txt',
      'b.txt',
      'c.txt',
      'ä.txt',
    ]);
  });

  test('a search finds part of the name without regard to case, with % and _ literal', async () => {
    const id = await files.newFolder('search');
    for (const name of ['100%.txt', '100x.txt', 'Straße_1.txt', 'STRASSE-2.txt'])
      await files.upload('x', { name, folder: id });
    const found = async (search: string) =>
      (await list(id, { search })).items.map((file) => file.originalName);
    expect(await found('0%')).toEqual(['100%.txt']);
    expect(await found('straße')).toEqual(['STRASSE-2.txt', 'Straße_1.txt']);
    expect(await found('E_')).toEqual(['Straße_1.txt']);
    expect(await found('nothing')).toEqual([]);
  });

  test.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', 'many'],
    ['sort', 'color'],
    ['order', 'up'],
    ['cursor', 'forged'],
    ['cursor', Buffer.from('["name","desc","a","b"]').toString('base64url')],
    ['cursor', Buffer.from('["name","asc","a\\u0000","b"]').toString('base64url')],
    ['cursor', Buffer.from('["name","asc","a","\\u0000"]').toString('base64url')],
    ['search', 'a\u0000b'],
  ])('%s=%s is rejected', async (name, value) => {
    const { status, items } = await list('root', { [name]: value });
    expect({ status, problem: items as unknown }).toMatchObject({
      status: 400,
      problem: { code: 'invalid_request', errors: [{ path: name }] },
    });
  });

  test.each(['1.5', '1e300', '"1"', 'null'])('a cursor with %s for a size is rejected', async (size) => {
    const cursor = Buffer.from(`["size","asc",${size},"b"]`).toString('base64url');
    const { status, items } = await list('root', { sort: 'size', cursor });
    expect({ status, problem: items as unknown }).toMatchObject({
      status: 400,
      problem: { errors: [{ path: 'cursor' }] },
    });
  });

  test('a file is moved within the workspace', async () => {
    const [from, to] = [await files.newFolder('from'), await files.newFolder('to')];
    const file = await files.upload('moved', { folder: from });
    const moved = await files.post(`/api/storage/files/${file.id}/move`, { targetFolderId: to });
    expect(moved.status).toBe(200);
    expect(((await moved.json()) as Metadata).folderId).toBe(to);
    expect((await list(from)).items).toEqual([]);
    expect((await list(to)).items.map(({ id }) => id)).toEqual([file.id]);
    expect(
      (await files.post(`/api/storage/files/${file.id}/move`, { targetFolderId: crypto.randomUUID() }))
        .status,
    ).toBe(404);
    const refused = await files.post(`/api/storage/files/${file.id}/move`, { targetFolderId: 'elsewhere' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'targetFolderId' }] });
    expect((await files.post(`/api/storage/files/${file.id}/move`, { targetFolderId: 'root' })).status).toBe(
      200,
    );
  });

  test('a deleted file is inaccessible at once, counts as unused, and can be restored', async () => {
    const before = await files.usedBytes();
    const file = await files.upload('12345', { name: 'gone.txt' });
    await files.change(file.id, { visibility: 1 });
    expect(await files.usedBytes()).toBe(before + 5);
    expect((await files.remove(file.id)).status).toBe(204);
    expect(await files.usedBytes()).toBe(before);
    const ways = [
      `/api/storage/files/${file.id}/metadata`,
      `/api/storage/files/${file.id}/content`,
      `/api/storage/public/media/${file.directToken}`,
      `/public/media/${file.uiToken}`,
    ];
    for (const way of ways) expect((await files.get(way)).status).toBe(404);
    expect((await files.remove(file.id)).status).toBe(404);
    const trash = await files.read<{ id: string }[]>('/api/storage/trash');
    expect(trash.map(({ id }) => id)).toContain(file.id);
    const restored = await files.post(`/api/storage/files/${file.id}/restore`);
    expect(restored.status).toBe(200);
    expect(((await restored.json()) as Metadata).directToken).toBe(file.directToken);
    expect(await files.usedBytes()).toBe(before + 5);
    for (const way of ways) expect((await files.get(way)).status).toBe(200);
    expect((await files.post(`/api/storage/files/${file.id}/restore`)).status).toBe(404);
  });

  test('a file that no longer fits is not restored; one of a deleted folder is restored into its place', async () => {
    const id = await files.newFolder('doomed');
    const inside = await files.newFolder('inside', id);
    const file = await files.upload('x'.repeat(600_000), { folder: inside });
    const before = await files.usedBytes();
    expect((await files.removeFolder(id)).status).toBe(204);
    expect(await files.usedBytes()).toBe(before - 600_000);
    const other = await files.upload('y'.repeat(600_000));
    const refused = await files.post(`/api/storage/files/${file.id}/restore`);
    expect(refused.status).toBe(507);
    expect(((await refused.json()) as { code: string }).code).toBe('quota_exceeded');
    expect((await files.replace(other.id, 'y')).status).toBe(200);
    const restored = (await (await files.post(`/api/storage/files/${file.id}/restore`)).json()) as Metadata;
    expect(restored.folderId).not.toBe(inside);
    expect(await pathOf(restored.folderId)).toEqual(['Files', 'doomed', 'inside']);
    await files.remove(other.id);
    await files.remove(file.id);
  });

  test('anonymous callers and other owners find nothing', async () => {
    const file = await files.upload('mine');
    const requests: [string, string, object?][] = [
      ['GET', `/api/storage/files/${file.id}/metadata`],
      ['GET', `/api/storage/files/${file.id}/content`],
      ['PATCH', `/api/storage/files/${file.id}`, { visibility: 1 }],
      ['POST', `/api/storage/files/${file.id}/move`, { targetFolderId: 'root' }],
      ['DELETE', `/api/storage/files/${file.id}`],
      ['POST', `/api/storage/files/${file.id}/restore`],
    ];
    for (const [method, path, body] of requests) {
      expect((await jsonOf(posthouse, bob)(method, path, body)).status).toBe(404);
      expect((await jsonOf(posthouse, { headers: {} })(method, path, body)).status).toBe(401);
    }
    expect((await files.metadata(file.id)).visibility).toBe(0);
    expect((await files.get('/api/storage/files/not-an-id/metadata')).status).toBe(404);
  });
});
