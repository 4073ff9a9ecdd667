import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { CODES, type ProblemCode } from '../src/kernel/http/codes.ts';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { signIn } from './harness/browser.ts';
import { signInAdmin } from './harness/chat.ts';
import { filesOf } from './harness/files.ts';
import { addPerson, type Posthouse, runJson, startPosthouse } from './harness/posthouse.ts';
import { metadata } from './harness/tus.ts';

type Headers = Record<string, string>;
type Refused = () => Promise<Response>;

/** A row of the interface: a request that would be right, and what is wrong with it in each of its own refusals. */
interface Row {
  /** The path to a thing of the owner, or of another; a path without an id names none. */
  path(of: 'owner' | 'other' | 'nobody'): Promise<string> | string;
  /** The body of a right request. */
  json?: object;
  /** JSON that is not; an empty object where nothing else is said. */
  wrong?: object;
  body?(): FormData | string;
  headers?: Headers;
  refused?: Partial<Record<ProblemCode, Refused>>;
}

const KB = 1_024;
const LIMIT = 256 * KB;
const TUS = { 'Tus-Resumable': '1.0.0' };
const CHUNK = { ...TUS, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
/** Told by a test of its own, where more has to happen first. The test is named in `test/coverage.ts`. */
const ELSEWHERE: readonly string[] = [
  'GET /api/storage/export/{id} path_too_long',
  ...['PATCH', 'GET', 'DELETE'].map((method) => `${method} /api/storage/uploads/{id} upload_locked`),
  ...['PATCH', 'GET'].map((method) => `${method} /api/storage/uploads/{id} upload_expired`),
];

describe.each(BACKENDS)('refusals of storage on %s', (backend) => {
  let posthouse: Posthouse;
  let owner: Headers;
  let other: Headers;
  let full: Headers;
  let reader: Headers;
  let session: Headers;
  let admin: Headers;
  let workspaceId: string;
  let files: ReturnType<typeof filesOf>;
  let others: ReturnType<typeof filesOf>;

  beforeAll(async () => {
    const settings = {
      ...(await freshSettings(backend)),
      POSTHOUSE_MAX_FILE_BYTES: String(LIMIT),
      POSTHOUSE_WORKSPACE_BYTES: String(LIMIT * 1.5),
    };
    posthouse = await startPosthouse(settings);
    const people = [];
    for (const name of ['owner', 'other', 'full']) people.push(await addPerson(settings, `${name}@example.org`));
    [owner = {}, other = {}, full = {}] = people.map((person) => person.headers);
    const scope = ['--email', 'owner@example.org', '--name', 'reader', '--scope', 'read'];
    reader = { Authorization: `Bearer ${(await runJson<{ token: string }>(settings, 'token', 'add', ...scope)).token}` };
    session = (await signIn(posthouse, 'owner@example.org')).headers;
    admin = (await signInAdmin(posthouse)).headers;
    files = filesOf(posthouse, owner);
    others = filesOf(posthouse, other);
    await filesOf(posthouse, full).upload(new Uint8Array(LIMIT));
    [{ id: workspaceId }] = (await (await files.get('/api/storage/workspaces')).json()) as [{ id: string }];
  });
  afterAll(() => posthouse.stop());

  let made = 0;
  const of = (whose: 'owner' | 'other') => (whose === 'owner' ? files : others);
  const newFile = async (whose: 'owner' | 'other' = 'owner') => (await of(whose).upload('bytes')).id;
  const newFolder = async (whose: 'owner' | 'other' = 'owner', parentFolderId = 'root') => {
    const answer = await of(whose).post('/api/storage/folders', { name: `folder ${made++}`, parentFolderId });
    return ((await answer.json()) as { id: string; name: string }).id;
  };
  const newUpload = async (headers: Headers = owner) => {
    const begun = { ...headers, ...TUS, 'Upload-Length': '6', 'Upload-Metadata': metadata({ filename: 'a' }) };
    return (await posthouse.fetch('/api/storage/uploads', { method: 'POST', headers: begun })).headers.get('Location') ?? '';
  };
  const form = (bytes: number, name = 'file') => {
    const data = new FormData();
    data.set(name, new Blob([new Uint8Array(bytes)]), 'a.bin');
    return data;
  };
  const send = (method: string, path: string, headers: Headers, body?: FormData | string | Uint8Array<ArrayBuffer>) =>
    posthouse.fetch(path, { method, headers, body });
  const json = (method: string, path: string, body: unknown, headers = owner) =>
    send(method, path, { ...headers, 'Content-Type': 'application/json' }, JSON.stringify(body));
  const file =
    (rest = ''): Row['path'] =>
    async (whose) =>
      `/api/storage/files/${whose === 'nobody' ? crypto.randomUUID() : await newFile(whose)}${rest}`;
  const folder =
    (start: string): Row['path'] =>
    async (whose) =>
      `${start}/${whose === 'nobody' ? crypto.randomUUID() : await newFolder(whose)}`;
  const upload: Row['path'] = async (whose) =>
    whose === 'nobody' ? `/api/storage/uploads/${crypto.randomUUID()}` : await newUpload(whose === 'owner' ? owner : other);
  const fixed =
    (path: string): Row['path'] =>
    () =>
      path;

  /** A file with both secrets, and the way to it that a row is about. */
  async function shared(way: (file: { id: string; directToken: string; uiToken: string }) => string) {
    const id = await newFile();
    const changed = await files.change(id, { visibility: 1, accessKey: true, filePassword: 'right' });
    return {
      id,
      path: way(changed),
      key: changed.accessKeyPlain ?? '',
      both: { 'X-Access-Key': changed.accessKeyPlain ?? '', 'X-File-Password': 'right' },
    };
  }

  /** What every way that strangers take refuses. @param get asks with these secrets, as the way takes them */
  function strangers(
    way: Parameters<typeof shared>[0],
    get = (path: string, secrets: Headers) => send('GET', path, secrets),
  ): Row['refused'] {
    return {
      access_key_required: async () => get((await shared(way)).path, {}),
      access_key_wrong: async () => get((await shared(way)).path, { 'X-Access-Key': 'wrong' }),
      file_password_required: async () => {
        const { path, key } = await shared(way);
        return await get(path, { 'X-Access-Key': key });
      },
      file_password_wrong: async () => {
        const { path, key } = await shared(way);
        return await get(path, { 'X-Access-Key': key, 'X-File-Password': 'wrong' });
      },
      link_expired: async () => {
        const { id, path, both } = await shared(way);
        await files.change(id, { expiresAt: '2020-01-01T00:00:00Z' });
        return await get(path, both);
      },
      too_many_attempts: async () => {
        const { path, both } = await shared(way);
        for (let guess = 0; guess < 10; guess++) await get(path, { 'X-Access-Key': `guess ${guess}` });
        return await get(path, both);
      },
    };
  }

  function bytesRefused(way: Parameters<typeof shared>[0]): Row['refused'] {
    return {
      ...strangers(way),
      no_thumbnail: async () => {
        const { path, both } = await shared(way);
        return await send('GET', `${path}?thumbnail=1`, both);
      },
      download_limit_reached: async () => {
        const { id, path, both } = await shared(way);
        await files.change(id, { maxDownloads: 1 });
        await (await send('GET', path, { ...both, 'User-Agent': 'first' })).bytes();
        return await send('GET', path, { ...both, 'User-Agent': 'second' });
      },
      precondition_failed: async () => {
        const { path, both } = await shared(way);
        return await send('GET', path, { ...both, 'If-Match': '"other"' });
      },
      range_not_satisfiable: async () => {
        const { path, both } = await shared(way);
        return await send('GET', path, { ...both, Range: 'bytes=5-' });
      },
    };
  }

  const bytesOut = (path: Row['path']): Row['refused'] => ({
    precondition_failed: async () => send('GET', await path('owner'), { ...owner, 'If-Match': '"other"' }),
    range_not_satisfiable: async () => send('GET', await path('owner'), { ...owner, Range: 'bytes=99999-' }),
  });

  const formIn = (path: Row['path']): Pick<Row, 'path' | 'body' | 'refused'> => ({
    path,
    body: () => form(10),
    refused: {
      invalid_request: async () => send('POST', await path('owner'), owner, form(10, 'other')),
      file_too_large: async () => send('POST', await path('owner'), owner, form(LIMIT + 1)),
      unsupported_media_type: async () => send('POST', await path('owner'), { ...owner, 'Content-Type': 'text/plain' }, 'x'),
    },
  });

  const withChecksum = { ...CHUNK, 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };
  const filled = () => filesOf(posthouse, full);
  const newFolderIn = async (whose: 'owner' | 'other' | 'nobody') => (whose === 'nobody' ? crypto.randomUUID() : await newFolder(whose));
  const media: Row['path'] = () => '/api/storage/public/media/unknown';

  const rows: Record<string, Row> = {
    'POST /api/storage/folders': {
      path: fixed('/api/storage/folders'),
      json: { name: 'a' },
      refused: {
        not_found: async () => json('POST', '/api/storage/folders', { name: 'a', parentFolderId: await newFolderIn('other') }),
        name_taken: async () => {
          await json('POST', '/api/storage/folders', { name: 'Taken' });
          return await json('POST', '/api/storage/folders', { name: 'tAKEN' });
        },
      },
    },
    'GET /api/storage/folders/{id}': { path: folder('/api/storage/folders') },
    'PATCH /api/storage/folders/{id}': {
      path: folder('/api/storage/folders'),
      json: { name: 'b' },
      refused: {
        name_taken: async () => {
          await json('POST', '/api/storage/folders', { name: 'sibling' });
          return await json('PATCH', `/api/storage/folders/${await newFolder()}`, { name: 'SIBLING' });
        },
        folder_cycle: async () => {
          const top = await newFolder();
          return await json('PATCH', `/api/storage/folders/${top}`, { parentFolderId: await newFolder('owner', top) });
        },
        root_folder: () => json('PATCH', '/api/storage/folders/root', { name: 'b' }),
      },
    },
    'DELETE /api/storage/folders/{id}': {
      path: folder('/api/storage/folders'),
      refused: {
        folder_not_empty: async () => {
          const top = await newFolder();
          await newFolder('owner', top);
          return await send('DELETE', `/api/storage/folders/${top}`, owner);
        },
        root_folder: () => send('DELETE', '/api/storage/folders/root?recursive=true', owner),
      },
    },
    'GET /api/storage/workspaces': { path: fixed('/api/storage/workspaces') },
    'GET /api/storage/usage': {
      path: fixed('/api/storage/usage'),
      refused: { not_found: async () => send('GET', `/api/storage/usage?workspaceId=${workspaceId}`, other) },
    },
    'GET /api/storage/usage/folder/{id}': { path: folder('/api/storage/usage/folder') },
    'GET /api/storage/files/{id}': {
      path: folder('/api/storage/files'),
      refused: { invalid_request: () => send('GET', '/api/storage/files/root?limit=0', owner) },
    },
    'POST /api/storage/files/{id}': {
      ...formIn(folder('/api/storage/files')),
      refused: {
        ...formIn(folder('/api/storage/files')).refused,
        quota_exceeded: () => send('POST', '/api/storage/files/root', full, form(LIMIT)),
      },
    },
    'PATCH /api/storage/files/{id}': { path: file(), json: { visibility: 1 }, wrong: { visibility: 2 } },
    'DELETE /api/storage/files/{id}': { path: file() },
    'GET /api/storage/files/{id}/metadata': { path: file('/metadata') },
    'GET /api/storage/files/{id}/content': { path: file('/content'), refused: bytesOut(file('/content')) },
    'GET /api/storage/files/{id}/thumbnail': {
      path: file('/thumbnail'),
      refused: { no_thumbnail: async () => send('GET', `/api/storage/files/${await newFile()}/thumbnail`, owner) },
    },
    'POST /api/storage/files/{id}/replace': {
      ...formIn(file('/replace')),
      refused: {
        ...formIn(file('/replace')).refused,
        quota_exceeded: async () => {
          const { id } = await filled().upload('small');
          return await send('POST', `/api/storage/files/${id}/replace`, full, form(LIMIT));
        },
      },
    },
    'POST /api/storage/files/{id}/move': { path: file('/move'), json: { targetFolderId: 'root' } },
    'POST /api/storage/files/{id}/restore': {
      path: async (whose) => {
        const id = whose === 'nobody' ? crypto.randomUUID() : await newFile(whose);
        if (whose !== 'nobody') await of(whose).remove(id);
        return `/api/storage/files/${id}/restore`;
      },
      refused: {
        quota_exceeded: async () => {
          const { id } = await filled().upload(new Uint8Array(100 * KB));
          await filled().remove(id);
          const filler = await filled().upload(new Uint8Array(100 * KB));
          const answer = await send('POST', `/api/storage/files/${id}/restore`, full);
          await filled().remove(filler.id);
          return answer;
        },
      },
    },
    'GET /api/storage/trash': { path: fixed('/api/storage/trash') },
    'GET /api/storage/export/{id}': {
      path: folder('/api/storage/export'),
      refused: bytesOut(async () => {
        const id = await newFolder();
        await files.upload('bytes', { folder: id });
        return `/api/storage/export/${id}`;
      }),
    },
    'POST /api/storage/uploads': {
      path: fixed('/api/storage/uploads'),
      headers: { ...TUS, 'Upload-Length': '6', 'Upload-Metadata': metadata({ filename: 'a' }) },
      refused: {
        invalid_request: () => send('POST', '/api/storage/uploads', { ...owner, ...TUS, 'Upload-Length': '6' }),
        not_found: async () => {
          const elsewhere = metadata({ filename: 'a', folderId: await newFolderIn('other') });
          return await send('POST', '/api/storage/uploads', { ...owner, ...TUS, 'Upload-Length': '6', 'Upload-Metadata': elsewhere });
        },
        precondition_failed: () => send('POST', '/api/storage/uploads', { ...owner, 'Tus-Resumable': '0.2.2' }),
        file_too_large: () =>
          send('POST', '/api/storage/uploads', {
            ...owner,
            ...TUS,
            'Upload-Length': String(LIMIT + 1),
            'Upload-Metadata': 'filename YQ==',
          }),
        quota_exceeded: () =>
          send('POST', '/api/storage/uploads', { ...full, ...TUS, 'Upload-Length': String(LIMIT), 'Upload-Metadata': 'filename YQ==' }),
        checksum_mismatch: () =>
          send(
            'POST',
            '/api/storage/uploads',
            { ...owner, ...withChecksum, 'Upload-Length': '6', 'Upload-Metadata': 'filename YQ==' },
            'abc',
          ),
      },
    },
    'POST /api/storage/uploads/{id}': {
      path: upload,
      headers: { ...CHUNK, 'X-HTTP-Method-Override': 'PATCH' },
      refused: {
        invalid_request: async () => send('POST', await newUpload(), { ...owner, ...TUS }),
        precondition_failed: async () => send('POST', await newUpload(), { ...owner, 'X-HTTP-Method-Override': 'PATCH' }),
      },
    },
    'PATCH /api/storage/uploads/{id}': {
      path: upload,
      headers: CHUNK,
      body: () => 'abc',
      refused: {
        invalid_request: async () => send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Upload-Offset': 'x' }, 'abc'),
        upload_offset_wrong: async () => send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Upload-Offset': '3' }, 'abc'),
        precondition_failed: async () => send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Tus-Resumable': '2.0.0' }, 'abc'),
        unsupported_media_type: async () => send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Content-Type': 'text/plain' }, 'abc'),
        checksum_mismatch: async () => send('PATCH', await newUpload(), { ...owner, ...withChecksum }, 'abc'),
        quota_exceeded: async () => {
          const setQuota = (maxBytes: number | null) =>
            json('PATCH', `/api/admin/storage/workspaces/${workspaceId}`, { maxBytes }, { ...admin, Origin: posthouse.url });
          const path = await newUpload();
          expect((await setQuota(0)).status).toBe(200);
          const answer = await send('PATCH', path, { ...owner, ...CHUNK }, 'abcdef');
          await setQuota(null);
          // Nothing of it is lost: it becomes a file as soon as there is room.
          expect((await send('HEAD', path, { ...owner, ...TUS })).headers.get('Posthouse-File-Id')).toBeString();
          return answer;
        },
      },
    },
    'GET /api/storage/uploads/{id}': {
      path: upload,
      headers: TUS,
      refused: { precondition_failed: async () => send('HEAD', await newUpload(), owner) },
    },
    'DELETE /api/storage/uploads/{id}': {
      path: upload,
      headers: TUS,
      refused: { precondition_failed: async () => send('DELETE', await newUpload(), owner) },
    },
    'GET /api/storage/public/media/{token}': {
      path: media,
      refused: {
        not_found: () => send('GET', '/api/storage/public/media/unknown', {}),
        ...bytesRefused(({ directToken }) => `/api/storage/public/media/${directToken}`),
      },
    },
    'GET /api/storage/public/private/{id}': {
      path: media,
      refused: {
        not_found: async () => send('GET', `/api/storage/public/private/${await newFile()}`, {}),
        ...bytesRefused(({ id }) => `/api/storage/public/private/${id}`),
      },
    },
    'GET /public/media/{token}': {
      path: media,
      refused: { not_found: () => send('GET', '/public/media/unknown', {}), ...bytesRefused(({ uiToken }) => `/public/media/${uiToken}`) },
    },
    'GET /public/file/{token}': {
      path: media,
      refused: { not_found: () => send('GET', '/public/file/unknown', {}), ...strangers(({ uiToken }) => `/public/file/${uiToken}`) },
    },
    'POST /public/file/{token}': {
      path: media,
      refused: {
        not_found: () => unlock('/public/file/unknown', {}),
        unsupported_media_type: () => send('POST', '/public/file/unknown', {}, form(1)),
        body_too_large: () => send('POST', '/public/file/unknown', { 'Content-Type': FORM }, 'a'.repeat(20 * KB)),
        ...strangers(({ uiToken }) => `/public/file/${uiToken}`, unlock),
      },
    },
  };
  const FORM = 'application/x-www-form-urlencoded';
  function unlock(path: string, secrets: Headers) {
    const fields = { accessKey: secrets['X-Access-Key'] ?? '', filePassword: secrets['X-File-Password'] ?? '' };
    return send('POST', path, { 'Content-Type': FORM }, new URLSearchParams(fields).toString());
  }

  /** The refusals that rows have in common, by what is wrong with a request that would be right. */
  function common(name: string, row: Row): Partial<Record<ProblemCode, Refused[]>> {
    const [documented = '', pattern = ''] = name.split(' ');
    // What the document has as GET answers only HEAD here (tus).
    const method = documented === 'GET' && pattern.startsWith('/api/storage/uploads/') ? 'HEAD' : documented;
    const ask = async (path: string, headers: Headers, body = row.json ? JSON.stringify(row.json) : row.body?.()) =>
      await send(method, path, { ...row.headers, ...(row.json ? { 'Content-Type': 'application/json' } : {}), ...headers }, body);
    const mine = () => row.path('owner');
    const malformed = async () => (await mine()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'x');
    return {
      login_required: [async () => ask(await mine(), {}), async () => ask(await mine(), { Authorization: 'Bearer wrong' })],
      cross_site_request: [
        async () => ask(await mine(), { ...session, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' }),
      ],
      scope_insufficient: [async () => ask(await mine(), reader)],
      not_found: [
        async () => ask(await row.path('other'), owner),
        async () => ask(await row.path('nobody'), owner),
        async () => ask(await malformed(), owner),
      ],
      invalid_request: [
        async () => ask(await mine(), owner, '{"a":'),
        async () => ask(await mine(), owner, JSON.stringify(row.wrong ?? {})),
      ],
      unsupported_media_type: [async () => ask(await mine(), { ...owner, 'Content-Type': 'text/plain' })],
      body_too_large: [async () => ask(await mine(), owner, JSON.stringify({ a: 'a'.repeat(1_100_000) }))],
    };
  }

  /** The codes that the document names for every row of the section. */
  async function documented(): Promise<Record<string, ProblemCode[]>> {
    const { paths } = (await (await posthouse.fetch('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { responses: Record<string, { description: string; content?: Record<string, unknown> }> }>>;
    };
    const found: Record<string, ProblemCode[]> = {};
    for (const [path, methods] of Object.entries(paths).filter(([path]) => /^(?:\/api\/storage|\/public)\//.test(path))) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const texts = Object.values(responses).filter(({ content }) => content?.['application/problem+json']);
        found[`${method.toUpperCase()} ${path}`] = texts.flatMap(({ description }) =>
          [...description.matchAll(/`(\w+)`/g)].map(([, code]) => code as ProblemCode),
        );
      }
    }
    return found;
  }

  test('every row of the document is here', async () => {
    expect(Object.keys(rows).toSorted()).toEqual(Object.keys(await documented()).toSorted());
  });

  test.each(Object.keys(rows))('%s is refused with every code that the document names for it', async (name) => {
    const row = rows[name] as Row;
    const codes = (await documented())[name] ?? [];
    const untold = Object.keys(row.refused ?? {}).filter((code) => !codes.includes(code as ProblemCode));
    // A page that is locked shows its form, which is no refusal.
    expect(untold.filter((code) => name !== 'GET /public/file/{token}' || !code.endsWith('_required'))).toEqual([]);
    for (const code of codes.filter((code) => !ELSEWHERE.includes(`${name} ${code}`))) {
      const own = row.refused?.[code];
      const requests = own ? [own] : common(name, row)[code];
      if (!requests) throw new Error(`nothing here is refused with ${code}`);
      for (const [index, request] of requests.entries()) {
        const answer = await request();
        const body = answer.headers.get('Content-Type') === 'application/problem+json' ? await answer.text() : '';
        const said = body === '' ? null : (JSON.parse(body) as { code: string; requestId: string });
        expect({ code, index, status: answer.status, said: said?.code ?? code }).toEqual({
          code,
          index,
          status: CODES[code].status,
          said: code,
        });
        expect(answer.headers.get('X-Request-Id')).toBe(said?.requestId ?? answer.headers.get('X-Request-Id'));
      }
    }
  });
});
