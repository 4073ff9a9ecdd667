import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { addPerson, type Posthouse, startPosthouse } from './harness/posthouse.ts';
import { createTeam, filesIn, type Person } from './harness/teams.ts';
import { until } from './harness/until.ts';

interface LinkAnswer {
  id: string;
  kind: string;
  token: string;
  url: string;
  name: string | null;
  hasPassword: boolean;
  downloadCount: number;
  maxBytes: number | null;
  maxFiles: number | null;
  fileIds?: string[];
  createdBy?: string;
  code?: string;
  errors?: { path: string }[];
}

interface Named {
  id: string;
  name: string;
}

interface Content {
  title: string | null;
  folder: Named | null;
  path: Named[];
  folders: Named[];
  files: Named[];
  hidden: number;
  code?: string;
}

describe.each(BACKENDS)('links to folders on %s', (backend) => {
  let posthouse: Posthouse;
  let owner: Person;
  let call: ReturnType<typeof jsonOf>;
  beforeAll(async () => {
    posthouse = await startPosthouse({
      ...(await freshSettings(backend)),
      POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
      // As a trusted proxy, a test can have any number of client addresses.
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1,::1',
    });
    owner = await addPerson(posthouse.settings, 'ann@example.org');
    call = jsonOf(posthouse, owner);
  });
  afterAll(() => posthouse.stop());

  const inRoot = { rootFolderId: 'root' } as Parameters<typeof filesIn>[2];
  const upload = async (content: string, name: string, folder = 'root') =>
    await filesIn(posthouse, owner, { ...inRoot, rootFolderId: folder }).upload(content, name);
  const newFolder = async (name: string, parentFolderId = 'root') =>
    (await call('POST', '/api/storage/folders', { name, parentFolderId })).body.id;
  const newLink = async (body: object) => (await call<LinkAnswer>('POST', '/api/storage/links', body)).body;
  const open = async (
    { token }: { token: string },
    query: Record<string, string> = {},
    init?: RequestInit,
  ) => {
    const path = `/api/storage/public/folder/${token}?${new URLSearchParams(query)}`;
    const answer = await posthouse.fetch(path, init);
    return { answer, body: (await answer.json()) as Content };
  };
  const namesOf = (entries: readonly Named[]) => entries.map(({ name }) => name);

  test('a link opens a folder with everything in it, and nothing above', async () => {
    const above = await newFolder('above');
    const shared = await newFolder('shared', above);
    const inner = await newFolder('inner', shared);
    await upload('1', 'b.txt', shared);
    await upload('2', 'A.txt', shared);
    await upload('3', 'deep.txt', inner);
    await upload('4', 'secret.txt', above);
    const link = await newLink({ folderId: shared, title: 'Our files' });
    expect(link).toMatchObject({
      kind: 'folder',
      name: 'shared',
      access: 'view',
      hasPassword: false,
      maxFiles: null,
      url: expect.stringMatching(/\/public\/folder\/[\w-]{32}$/),
    });
    const { body: top } = await open(link);
    expect(top).toMatchObject({ title: 'Our files', folder: { id: shared, name: 'shared' }, hidden: 0 });
    expect([namesOf(top.path), namesOf(top.folders), namesOf(top.files)]).toEqual([
      ['shared'],
      ['inner'],
      ['A.txt', 'b.txt'],
    ]);
    const { body: below } = await open(link, { folderId: inner });
    expect([namesOf(below.path), namesOf(below.files)]).toEqual([['shared', 'inner'], ['deep.txt']]);
    const { rootFolderId } = (await call<{ rootFolderId: string }>('GET', '/api/me')).body;
    for (const folderId of [above, rootFolderId ?? above, crypto.randomUUID()])
      expect((await open(link, { folderId })).body.code).toBe('not_found');
  });

  test('files are listed in pages, without those that have their own password or key', async () => {
    const folder = await newFolder('pages');
    const { id: locked } = await upload('x', 'locked.txt', folder);
    await call('PATCH', `/api/storage/files/${locked}`, { filePassword: 'secret' });
    const { id: keyed } = await upload('x', 'keyed.txt', folder);
    await call('PATCH', `/api/storage/files/${keyed}`, { accessKey: true });
    for (const name of ['1', '2', '3']) await upload(name, name, folder);
    const link = await newLink({ folderId: folder, password: 'secret' });
    const seen: string[] = [];
    const secret = { headers: { 'X-File-Password': 'secret' } };
    let next = `/api/storage/public/folder/${link.token}?limit=2&filePassword=secret`;
    while (next !== '') {
      const answer = await posthouse.fetch(next, secret);
      const body = (await answer.json()) as Content;
      expect(body.hidden).toBe(2);
      seen.push(...namesOf(body.files));
      next = /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
      expect(next).not.toContain('secret');
    }
    expect(seen).toEqual(['1', '2', '3']);
  });

  test('the page of a link shows all folders, 500 at a time, and then the files', async () => {
    const folder = await newFolder('full');
    const { database } = await foundationOf(posthouse.settings);
    const { workspace_id } = await database.read
      .selectFrom('folders')
      .select('workspace_id')
      .where('id', '=', folder)
      .executeTakeFirstOrThrow();
    const names = Array.from({ length: 700 }, (_, index) => `Folder & ${1_000 + index}`);
    const rows = names.map((name) => ({
      id: crypto.randomUUID(),
      workspace_id,
      parent_id: folder,
      name,
      name_key: name.toLowerCase(),
      date_created: 0,
    }));
    await database.transaction((trx) => trx.insertInto('folders').values(rows).execute());
    await upload('x', 'file.txt', folder);
    const link = await newLink({ folderId: folder });
    const pages: string[] = [];
    for (let next = `/public/folder/${link.token}`; next !== ''; ) {
      const text = await (await posthouse.fetch(next)).text();
      pages.push(text);
      next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    expect(pages.map((page) => [...page.matchAll(/Folder &amp; \d+/g)].map(([name]) => name))).toEqual([
      names.slice(0, 500).map((name) => name.replace('&', '&amp;')),
      names.slice(500).map((name) => name.replace('&', '&amp;')),
    ]);
    expect(pages.map((page) => page.includes('file.txt'))).toEqual([false, true]);
    const tooLong = `/public/folder/${link.token}?foldersAfter=${'a'.repeat(256)}`;
    expect((await posthouse.fetch(tooLong)).status).toBe(400);
  });

  test('a link to chosen files shows these, and nothing that came later', async () => {
    const folder = await newFolder('chosen');
    const [one, two] = [await upload('1', 'one.txt', folder), await upload('2', 'two.txt')];
    const link = await newLink({ fileIds: [one.id, two.id, one.id.toUpperCase()] });
    expect(link).toMatchObject({ kind: 'files', name: null, fileCount: 2 });
    expect(link.fileIds?.toSorted()).toEqual([one.id, two.id].toSorted());
    await upload('3', 'later.txt', folder);
    const shown = async () => {
      const { body } = await open(link);
      return [body.folder, namesOf(body.path), namesOf(body.folders), namesOf(body.files)];
    };
    expect(await shown()).toEqual([null, [], [], ['one.txt', 'two.txt']]);
    expect((await open(link, { folderId: folder })).body.code).toBe('not_found');
    await call('DELETE', `/api/storage/files/${two.id}`);
    expect((await shown())[3]).toEqual(['one.txt']);
    await call('POST', `/api/storage/trash/${two.id}/restore`);
    expect((await shown())[3]).toEqual(['one.txt', 'two.txt']);
    await call('PATCH', `/api/storage/links/${link.id}`, { fileIds: [two.id] });
    expect((await shown())[3]).toEqual(['two.txt']);
    // Nothing, which leaves the files as they are.
    const unchanged = await call<LinkAnswer>('PATCH', `/api/storage/links/${link.id}`, { fileIds: [] });
    expect([unchanged.status, unchanged.body.fileIds]).toEqual([200, [two.id]]);
  });

  test('requests for links that would open nothing, or more than meant, are refused', async () => {
    const { id } = await upload('1', 'a.txt');
    const strangers = await addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
    const others = await filesIn(posthouse, strangers, inRoot).upload('1', 'a.txt');
    const refused: [body: object, path: string | undefined, code: string][] = [
      [{}, 'folderId', 'invalid_request'],
      [{ folderId: 'root', fileIds: [id] }, 'folderId', 'invalid_request'],
      [{ fileIds: [] }, 'folderId', 'invalid_request'],
      [{ fileIds: Array.from({ length: 1001 }, () => id) }, 'fileIds', 'invalid_request'],
      [{ fileIds: [id], access: 'both' }, 'access', 'invalid_request'],
      [{ folderId: 'root', password: '' }, 'password', 'invalid_request'],
      [{ folderId: 'root', pasword: 'secret' }, 'pasword', 'invalid_request'],
      [{ folderId: 'root', filePassword: 'secret' }, 'filePassword', 'invalid_request'],
      [{ folderId: 'root', access: 'all' }, 'access', 'invalid_request'],
      [{ folderId: 'root', title: 'a\nb' }, 'title', 'invalid_request'],
      [{ folderId: 'root', message: 'a\u0007b' }, 'message', 'invalid_request'],
      [{ folderId: 'root', expiresAt: 'tomorrow' }, 'expiresAt', 'invalid_request'],
      [{ folderId: 'root', maxDownloads: 0 }, 'maxDownloads', 'invalid_request'],
      [{ folderId: crypto.randomUUID() }, undefined, 'not_found'],
      [{ fileIds: [id, others.id] }, undefined, 'not_found'],
      [{ fileIds: [id, crypto.randomUUID()] }, undefined, 'not_found'],
    ];
    for (const [body, path, code] of refused) {
      const answer = await newLink(body);
      expect([body, answer.errors?.[0]?.path, answer.code]).toEqual([body, path, code]);
    }
  });

  test('a password guards a link like that of a file', async () => {
    const folder = await newFolder('guarded');
    await upload('1', 'a.txt', folder);
    const link = await newLink({ folderId: folder, title: 'Private', password: 'pass word' });
    expect(link.hasPassword).toBe(true);
    const codeOf = async (filePassword: string, address: string) =>
      (await open(link, { filePassword }, { headers: { 'X-Forwarded-For': address } })).body.code;
    expect(await codeOf('', '192.0.2.1')).toBe('file_password_required');
    expect(await codeOf('pass word', '192.0.2.1')).toBeUndefined();
    for (let count = 0; count < 10; count++)
      expect(await codeOf('wrong', '192.0.2.1')).toBe('file_password_wrong');
    expect(await codeOf('pass word', '192.0.2.1')).toBe('too_many_attempts');
    expect(await codeOf('pass word', '192.0.2.2')).toBeUndefined();
    await call('PATCH', `/api/storage/links/${link.id}`, { password: 'another' });
    expect(await codeOf('another', '192.0.2.1')).toBeUndefined();
    await call('PATCH', `/api/storage/links/${link.id}`, { password: '' });
    expect(await codeOf('', '192.0.2.1')).toBe('file_password_required');
    await call('PATCH', `/api/storage/links/${link.id}`, { password: null });
    expect(await codeOf('', '192.0.2.1')).toBeUndefined();
  });

  test('a link ends when it expires, is deleted, or gets another token', async () => {
    const link = await newLink({ folderId: await newFolder('ending') });
    const path = `/api/storage/links/${link.id}`;
    const codeOf = async (token = link.token) => (await open({ token })).body.code;
    const change = async (body: object) => (await call<LinkAnswer>('PATCH', path, body)).body;
    expect(await change({ title: '', message: '' })).toMatchObject({ title: null, message: null });
    const named = { title: 'Named', message: 'Hello' };
    expect(await change(named)).toMatchObject(named);
    expect(await change({ title: ' ', message: '  ' })).toMatchObject(named);
    expect(await change({ title: '' })).toMatchObject(named);
    await change({ title: null });
    await change({ expiresAt: '2020-01-01T00:00:00Z' });
    expect(await codeOf()).toBe('link_expired');
    await change({ expiresAt: null });
    expect(await codeOf()).toBeUndefined();
    const { token } = await change({ regenerateToken: true });
    expect([await codeOf(), await codeOf(token)]).toEqual(['not_found', undefined]);
    expect((await call('DELETE', path)).status).toBe(204);
    expect([await codeOf(token), (await call('GET', path)).status]).toEqual(['not_found', 404]);
    for (const unknown of ['x', '%00', 'x'.repeat(5000)]) expect(await codeOf(unknown)).toBe('not_found');
  });

  test('a link is gone while its folder is in the trash, and is the same when that is restored', async () => {
    const outer = await newFolder('outer');
    const inner = await newFolder('inner', outer);
    await upload('1', 'a.txt', inner);
    const links = [await newLink({ folderId: outer }), await newLink({ folderId: inner })];
    const codes = async () => await Promise.all(links.map(async (link) => (await open(link)).body.code));
    expect(await codes()).toEqual([undefined, undefined]);
    await call('DELETE', `/api/storage/folders/${outer}?recursive=true`);
    expect(await codes()).toEqual(['not_found', 'not_found']);
    const listed = (await call<LinkAnswer>('GET', `/api/storage/links/${links[0]?.id}`)).body;
    expect(listed).toMatchObject({ token: links[0]?.token, name: null });
    await call('POST', `/api/storage/trash/${outer}/restore`);
    expect(await codes()).toEqual([undefined, undefined]);
  });

  test('a link is deleted when its folder is erased', async () => {
    const folder = await newFolder('erased');
    const [own, other] = [await newLink({ folderId: folder }), await newLink({ folderId: 'root' })];
    await call('DELETE', `/api/storage/folders/${folder}`);
    await call('DELETE', `/api/storage/trash/${folder}`);
    await until(async () => (await call('GET', `/api/storage/links/${own.id}`)).status === 404);
    expect((await call('GET', `/api/storage/links/${other.id}`)).status).toBe(200);
  });

  test('a link for uploads only shows none of the files in its folder', async () => {
    const folder = await newFolder('inbox');
    await newFolder('inner', folder);
    await upload('1', 'a.txt', folder);
    const link = await newLink({ folderId: folder, access: 'upload', title: 'Send me your photographs' });
    expect(link).toMatchObject({ maxFiles: 1000, maxBytes: expect.any(Number), uploadCount: 0 });
    const { body } = await open(link);
    expect(body).toEqual({
      title: 'Send me your photographs',
      message: null,
      access: 'upload',
      folder: null,
      path: [],
      folders: [],
      files: [],
      hidden: 0,
    } as unknown as Content);
  });

  test('the bytes of the files are sent, of no others, and not of those with their own secrets', async () => {
    const above = await newFolder('bytes above');
    const folder = await newFolder('bytes', above);
    const inner = await newFolder('inner', folder);
    const [deep, outside, locked] = [
      await upload('deep bytes', 'deep.html', inner),
      await upload('outside', 'a.txt', above),
      await upload('locked', 'b.txt', folder),
    ];
    await call('PATCH', `/api/storage/files/${locked.id}`, { visibility: 1, filePassword: 'secret' });
    const link = await newLink({ folderId: folder });
    const chosen = await newLink({ fileIds: [deep.id, locked.id] });
    const bytes = ({ token }: LinkAnswer, id: string, init?: RequestInit) =>
      posthouse.fetch(`/public/folder/${token}/file/${id}`, init);
    for (const of of [link, chosen]) {
      const answer = await bytes(of, deep.id);
      expect([answer.status, await answer.text()]).toEqual([200, 'deep bytes']);
      expect(answer.headers.get('Content-Disposition')).toStartWith('attachment');
      expect(answer.headers.get('Content-Security-Policy')).toContain('sandbox');
      for (const id of [outside.id, locked.id, folder, crypto.randomUUID(), 'x'])
        expect((await bytes(of, id)).status).toBe(404);
    }
    const part = await bytes(link, deep.id.toUpperCase(), { headers: { Range: 'bytes=0-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'deep']);
    const found = await bytes(link, deep.id);
    const unchanged = await bytes(link, deep.id, {
      headers: { 'If-None-Match': found.headers.get('ETag') ?? '' },
    });
    expect(unchanged.status).toBe(304);
    expect((await posthouse.fetch(`/public/folder/${link.token}/thumbnail/${outside.id}`)).status).toBe(404);
    const none = await posthouse.fetch(`/public/folder/${link.token}/thumbnail/${deep.id}`);
    expect(((await none.json()) as { code: string }).code).toBe('no_thumbnail');
    await call('PATCH', `/api/storage/links/${link.id}`, { access: 'upload' });
    expect((await bytes(link, deep.id)).status).toBe(404);
    await call('PATCH', `/api/storage/links/${link.id}`, { access: 'both', password: 'secret' });
    expect((await bytes(link, deep.id)).status).toBe(403);
    const secret = { headers: { 'X-File-Password': 'secret' } };
    expect((await bytes(link, deep.id, secret)).headers.get('Cache-Control')).toBe('no-store');
  });

  test('the content of a link is exported as a ZIP file', async () => {
    const folder = await newFolder('zipped');
    const inner = await newFolder('inner', folder);
    const [one] = [await upload('1', 'a.txt', folder), await upload('2', 'b.txt', inner)];
    const { id: locked } = await upload('3', 'locked.txt', inner);
    await call('PATCH', `/api/storage/files/${locked}`, { accessKey: true });
    const link = await newLink({ folderId: folder, title: 'Österreich' });
    const chosen = await newLink({ fileIds: [one.id, locked] });
    const zip = (of: LinkAnswer, place = '', init?: RequestInit) =>
      posthouse.fetch(`/public/folder/${of.token}/export${place}`, init);
    const namesIn = async (of: LinkAnswer, place = '') => {
      const answer = await zip(of, place);
      const archive = await answer.bytes();
      expect(archive.length).toBe(Number(answer.headers.get('Content-Length')));
      return zipNames(Buffer.from(archive));
    };
    expect(await namesIn(link)).toEqual(['a.txt', 'inner/b.txt']);
    expect(await namesIn(link, `/${inner}`)).toEqual(['b.txt']);
    expect(await namesIn(chosen)).toEqual(['a.txt']);
    const whole = await zip(link);
    expect(whole.headers.get('Content-Disposition')).toContain("filename*=UTF-8''%C3%96sterreich.zip");
    const bytes = await whole.bytes();
    const etag = whole.headers.get('ETag') ?? '';
    const rest = await zip(link, '', { headers: { Range: 'bytes=20-', 'If-Range': etag } });
    expect([rest.status, Buffer.from(await rest.bytes()).equals(bytes.subarray(20))]).toEqual([206, true]);
    for (const place of [`/${await newFolder('elsewhere')}`, `/${crypto.randomUUID()}`])
      expect((await zip(link, place)).status).toBe(404);
    expect((await zip(await newLink({ folderId: await newFolder('empty') }))).status).toBe(204);
  });

  test('downloads are counted once for each visitor, and exactly as many visitors as allowed are served', async () => {
    const folder = await newFolder('counted');
    const files = [await upload('1', 'a.txt', folder), await upload('2', 'b.txt', folder)];
    const link = await newLink({ folderId: folder, maxDownloads: 3 });
    const get = async (place: string, visitor: number, method = 'GET') => {
      const headers = { 'X-Forwarded-For': `198.51.100.${visitor}` };
      return (await posthouse.fetch(`/public/folder/${link.token}/${place}`, { method, headers })).status;
    };
    const [a = '', b = ''] = files.map(({ id }) => `file/${id}`);
    expect(await get(a, 1, 'HEAD')).toBe(200);
    const count = async () =>
      (await call<LinkAnswer>('GET', `/api/storage/links/${link.id}`)).body.downloadCount;
    expect(await count()).toBe(0);
    const visitors = Array.from({ length: 8 }, (_, visitor) => visitor);
    const statuses = await Promise.all(visitors.map((visitor) => get(visitor % 2 ? a : 'export', visitor)));
    expect(statuses.toSorted()).toEqual([200, 200, 200, 410, 410, 410, 410, 410]);
    expect(await count()).toBe(3);
    for (const visitor of visitors) expect(await get(b, visitor)).toBe(statuses[visitor] ?? 0);
    expect(await count()).toBe(3);
    await call('PATCH', `/api/storage/links/${link.id}`, { maxDownloads: null });
    expect(await get(b, statuses.indexOf(410))).toBe(200);
  });

  test('editors see and change their own links, managers all of them, those of former members too', async () => {
    const team = await createTeam(posthouse);
    const folderId = team.workspace.rootFolderId;
    const make = async (by: Person) =>
      (await jsonOf(posthouse, by)<LinkAnswer>('POST', '/api/storage/links', { folderId })).body.id;
    const [editors, managers] = [await make(team.editor), await make(team.manager)];
    const listed = async (by: Person) =>
      (
        await jsonOf(posthouse, by)<LinkAnswer[]>(
          'GET',
          `/api/storage/links?workspaceId=${team.workspace.id}`,
        )
      ).body.map(({ id }) => id);
    const statusFor = async (by: Person, method: string, id: string) =>
      (await jsonOf(posthouse, by)(method, `/api/storage/links/${id}`, method === 'PATCH' ? {} : undefined))
        .status;
    expect([await listed(team.editor), await listed(team.manager)]).toEqual([[editors], [managers, editors]]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(await statusFor(team.editor, method, managers)).toBe(404);
    expect(await statusFor(team.editor, 'PATCH', editors)).toBe(200);
    await jsonOf(posthouse, team.manager)(
      'DELETE',
      `/api/storage/workspaces/${team.workspace.id}/members/${team.editor.id}`,
    );
    expect(await statusFor(team.editor, 'GET', editors)).toBe(404);
    expect(await listed(team.manager)).toEqual([managers, editors]);
    const { body } = await jsonOf(posthouse, team.manager)<LinkAnswer>(
      'GET',
      `/api/storage/links/${editors}`,
    );
    expect((await open(body)).answer.status).toBe(200);
    await jsonOf(posthouse, team.manager)('DELETE', `/api/storage/workspaces/${team.workspace.id}`);
    expect((await open(body)).body.code).toBe('not_found');
  });

  test('a link moves to another workspace with its folder, and no longer shows folders that left', async () => {
    const team = await createTeam(posthouse);
    const asManager = jsonOf(posthouse, team.manager);
    const outer = (await asManager('POST', '/api/storage/folders', { name: 'outer' })).body.id;
    const moved = (await asManager('POST', '/api/storage/folders', { name: 'moved', parentFolderId: outer }))
      .body.id;
    const make = async (body: object) =>
      (await asManager<LinkAnswer>('POST', '/api/storage/links', body)).body;
    const file = await filesIn(posthouse, team.manager, { ...team.workspace, rootFolderId: outer }).upload(
      '1',
    );
    const [above, own, chosen] = [
      await make({ folderId: outer }),
      await make({ folderId: moved }),
      await make({ fileIds: [file.id] }),
    ];
    const { rootFolderId, id: workspaceId } = team.workspace;
    await asManager('PATCH', `/api/storage/folders/${moved}`, { parentFolderId: rootFolderId });
    await asManager('POST', `/api/storage/files/${file.id}/move`, { targetFolderId: rootFolderId });
    expect((await asManager('GET', `/api/storage/links/${own.id}`)).body).toMatchObject({ workspaceId });
    expect((await open(own)).body.folder?.name).toBe('moved');
    expect((await open(above)).body).toMatchObject({ folders: [], files: [] });
    expect((await open(chosen)).body.files).toEqual([]);
  });

  test('links and shared files are listed together, newest first', async () => {
    const person = await addPerson(posthouse.settings, `${crypto.randomUUID()}@example.org`);
    const as = jsonOf(posthouse, person);
    const files = filesIn(posthouse, person, inRoot);
    const folderId = (await as('POST', '/api/storage/folders', { name: 'f' })).body.id;
    const share = async () => {
      const { id } = await files.upload('1');
      await files.change(id, { visibility: 1 });
      return id;
    };
    const link = async (body: object) => (await as('POST', '/api/storage/links', body)).body.id;
    const first = await share();
    const made = [first, await link({ folderId }), await share(), await link({ fileIds: [first] })].reverse();
    const seen: string[] = [];
    for (let next = '/api/storage/links?limit=1'; next !== ''; ) {
      const answer = await posthouse.fetch(next, { headers: person.headers });
      seen.push(...((await answer.json()) as Named[]).map(({ id }) => id));
      next = /^<([^>]+)>/.exec(answer.headers.get('Link') ?? '')?.[1] ?? '';
    }
    expect(seen).toEqual(made);
    const sharedIn = async (folder: string) =>
      (await as<Named[]>('GET', `/api/storage/links?folderId=${folder}`)).body.map(({ id }) => id);
    expect(await sharedIn(folderId)).toEqual([made[2] ?? '']);
    expect(await sharedIn('root')).toEqual([made[1] ?? '', first]);
  });

  test('an address may request a number of ZIP files per minute', async () => {
    const { token } = await newLink({ folderId: await newFolder('archives') });
    const headers = { 'X-Forwarded-For': '198.51.100.9' };
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => posthouse.fetch(`/public/folder/${token}/export`, { headers })),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

/** Returns the names in the central directory of a ZIP file (APPNOTE 4.3.12). */
function zipNames(archive: Buffer): string[] {
  const names: string[] = [];
  for (let at = archive.indexOf('PK\u0001\u0002'); at >= 0; at = archive.indexOf('PK\u0001\u0002', at + 46))
    names.push(archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)));
  return names;
}
