import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { shapeConfig } from '../src/config/config.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { sendJson } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';

const { workspaceBytes } = shapeConfig({}).config.limits;

interface FolderAnswer {
  id: string;
  name: string;
  parentFolderId: string | null;
  folders: { id: string; name: string }[];
  path: { id: string; name: string }[];
}

describe.each(BACKENDS)('folders on %s', (backend) => {
  let posthouse: Posthouse;
  let ann: Awaited<ReturnType<typeof addPerson>>;
  let bob: Awaited<ReturnType<typeof addPerson>>;
  beforeAll(async () => {
    const settings = await freshSettings(backend);
    posthouse = await startPosthouse(settings);
    ann = await addPerson(settings, 'ann@example.org');
    bob = await addPerson(settings, 'bob@example.org');
  });
  afterAll(() => posthouse.stop());

  const request = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = ann.headers,
  ) => {
    const answer = await sendJson(posthouse, method, path, body, headers);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text ? JSON.parse(text) : null) as FolderAnswer & { code: string; errors: { path: string }[] },
    };
  };
  const create = (name: string, parentFolderId?: string) =>
    request('POST', '/api/storage/folders', { name, parentFolderId });

  test('are found by parts of their names, with their path', async () => {
    const search = (query: string, headers = ann.headers) =>
      request('GET', `/api/storage/search/folders?query=${encodeURIComponent(query)}`, undefined, headers);
    const found = async (query: string, headers = ann.headers) =>
      ((await search(query, headers)).body as unknown as (FolderAnswer & { path: string })[]).map(
        ({ name, path }) => [path, name],
      );
    const { id } = (await create('Fundstücke')).body;
    await create('Straßen 100%', id);
    const photos = await create('夏の写真', id);
    expect(await found('STRASSEN')).toEqual([['Fundstücke', 'Straßen 100%']]);
    expect(await found('fundstu\u0308')).toEqual([['', 'Fundstücke']]);
    for (const query of ['写真', '写', '00%']) expect(await found(query)).toHaveLength(1);
    for (const query of ['0%', '%%%']) expect(await found(query)).toEqual([]);
    expect(await found('STRASSEN', bob.headers)).toEqual([]);
    await request('DELETE', `/api/storage/folders/${id}?recursive=true`);
    expect(await found('写真')).toEqual([]);
    await request('POST', `/api/storage/trash/${id}/restore`, {});
    expect(await found('写真')).toEqual([['Fundstücke', '夏の写真']]);
    expect((await search('写真')).body).toMatchObject([{ id: photos.body.id, parentFolderId: id }]);
    const foreign = await request('GET', `/api/storage/search/folders?workspaceId=${photos.body.id}`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
  });

  test('that are being moved are found without the names of folders in the other workspace', async () => {
    const { id } = (await create('Secret of Bob')).body;
    const inner = (await create('Half way', id)).body.id;
    await create('Not yet moved', inner);
    const { database } = await foundationOf(posthouse.settings);
    const bobs = database.read
      .selectFrom('workspaces')
      .select('id')
      .where('id', '!=', (own) => own.selectFrom('folders').select('workspace_id').where('id', '=', inner));
    await database.transaction((trx) =>
      trx
        .updateTable('folders')
        .set({ workspace_id: bobs.limit(1) })
        .where('id', '=', id)
        .execute(),
    );
    const { body } = await request('GET', '/api/storage/search/folders?query=not%20yet');
    expect(body).toMatchObject([{ name: 'Not yet moved', path: 'Half way' }]);
  });

  test('nest, with the path from the root', async () => {
    const outer = await create('Reisen');
    expect(outer.status).toBe(201);
    expect(outer.headers.get('Location')).toBe(`/api/storage/folders/${outer.body.id}`);
    const inner = await create('日本 2026 🗾', outer.body.id);
    const { body } = await request('GET', `/api/storage/folders/${inner.body.id}`);
    expect(body.path.map(({ name }) => name)).toEqual(['Files', 'Reisen', '日本 2026 🗾']);
    const root = await request('GET', '/api/storage/folders/root');
    expect(root.body.folders.map(({ id }) => id)).toContain(outer.body.id);
    expect(root.body.parentFolderId).toBeNull();
  });

  test('siblings must differ in more than case and composition; names are kept exactly', async () => {
    const { body } = await create('Zoë');
    expect(body.name).toBe('Zoë');
    for (const twin of ['ZOË', 'zoë', 'Zoe\u0308'])
      expect(await create(twin)).toMatchObject({ status: 409, body: { code: 'name_taken' } });
    const decomposed = await create('Cafe\u0301');
    expect((await request('GET', `/api/storage/folders/${decomposed.body.id}`)).body.name).toBe('Cafe\u0301');
    expect((await create('Zoë', body.id)).status).toBe(201);
  });

  test.each(['', '.', '..', 'a/b', 'a\\b', 'a\u0000b', 'line\nbreak', 'x'.repeat(256), '🙂'.repeat(64)])(
    'the name %j is rejected',
    async (name) => {
      const refused = await create(name);
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'name' }] },
      });
    },
  );

  test('names of 255 bytes are accepted', async () => {
    expect((await create('x'.repeat(255))).status).toBe(201);
    expect((await create(`${'🙂'.repeat(63)}abc`)).status).toBe(201);
  });

  test('are renamed and moved, but not into themselves', async () => {
    const a = await create('cycle a');
    const b = await create('cycle b', a.body.id);
    const c = await create('cycle c', b.body.id);
    for (const target of [a, b, c]) {
      const moved = await request('PATCH', `/api/storage/folders/${a.body.id}`, {
        parentFolderId: target.body.id,
      });
      expect(moved).toMatchObject({ status: 409, body: { code: 'folder_cycle' } });
    }
    const moved = await request('PATCH', `/api/storage/folders/${c.body.id}`, {
      parentFolderId: 'root',
      name: 'cycle d',
    });
    expect(moved).toMatchObject({ status: 200, body: { name: 'cycle d' } });
    expect((await request('GET', `/api/storage/folders/${c.body.id}`)).body.path.length).toBe(2);
    expect(await request('PATCH', `/api/storage/folders/${c.body.id}`, { name: 'cycle a' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    });
    expect((await request('PATCH', `/api/storage/folders/${c.body.id}`, { name: 'CYCLE D' })).body.name).toBe(
      'CYCLE D',
    );
    for (const none of [{}, { name: '' }, { parentFolderId: '' }])
      expect(await request('PATCH', `/api/storage/folders/${c.body.id}`, none)).toMatchObject({
        status: 200,
        body: { name: 'CYCLE D' },
      });
  });

  test('one of two concurrent moves that would form a cycle is rejected', async () => {
    const a = await create('race a');
    const b = await create('race b');
    const answers = await Promise.all([
      request('PATCH', `/api/storage/folders/${a.body.id}`, { parentFolderId: b.body.id }),
      request('PATCH', `/api/storage/folders/${b.body.id}`, { parentFolderId: a.body.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('the root cannot be changed', async () => {
    expect(await request('DELETE', '/api/storage/folders/root?recursive=true')).toMatchObject({
      status: 409,
      body: { code: 'root_folder' },
    });
    expect(await request('PATCH', '/api/storage/folders/root', { name: 'other' })).toMatchObject({
      status: 409,
      body: { code: 'root_folder' },
    });
  });

  test('a folder with content is deleted only recursively', async () => {
    const a = await create('full');
    const b = await create('inside', a.body.id);
    expect(await request('DELETE', `/api/storage/folders/${a.body.id}`)).toMatchObject({
      status: 409,
      body: { code: 'folder_not_empty' },
    });
    expect((await request('DELETE', `/api/storage/folders/${a.body.id}?recursive=true`)).status).toBe(204);
    for (const { body } of [a, b])
      expect((await request('GET', `/api/storage/folders/${body.id}`)).status).toBe(404);
  });

  test('usage counts subfolders', async () => {
    const a = await create('usage');
    await create('one', a.body.id);
    const { status, body } = await request('GET', `/api/storage/usage/folder/${a.body.id}`);
    expect({ status, body: body as unknown }).toEqual({
      status: 200,
      body: { folderId: a.body.id, usedBytes: 0, fileCount: 0, folderCount: 1 },
    });
    expect((await request('GET', '/api/storage/usage')).body as unknown).toEqual({
      usedBytes: 0,
      maxBytes: workspaceBytes,
    });
  });

  test('anonymous callers and other owners find nothing', async () => {
    const { body } = await create('secret');
    const paths = [
      ['GET', `/api/storage/folders/${body.id}`],
      ['PATCH', `/api/storage/folders/${body.id}`, { name: 'mine' }],
      ['DELETE', `/api/storage/folders/${body.id}`],
      ['GET', `/api/storage/usage/folder/${body.id}`],
      ['GET', `/api/storage/files/${body.id}`],
      ['POST', '/api/storage/folders', { name: 'x', parentFolderId: body.id }],
    ] as const;
    for (const [method, path, json] of paths) {
      expect(await request(method, path, json, bob.headers)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
      expect(await request(method, path, json, {})).toMatchObject({
        status: 401,
        body: { code: 'login_required' },
      });
    }
    expect((await request('GET', '/api/storage/folders/not-an-id')).status).toBe(404);
    expect((await request('GET', '/api/storage/usage?workspaceId=nobody')).status).toBe(400);
  });
});
