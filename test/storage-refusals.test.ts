import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { sql } from 'kysely';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { fetchingDeclared } from './harness/declared.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { cheapPasswords } from './harness/passwords.ts';
import { picture, renditionOf } from './harness/pictures.ts';
import { addPerson, type Posthouse, signInAdmin, startPosthouse } from './harness/posthouse.ts';
import { type Refusals, testRefusals } from './harness/refusals.ts';
import { addFolderChain } from './harness/storage-rows.ts';
import { metadata } from './harness/tus.ts';

type Headers = Record<string, string>;

/** Returns the path to a new resource. */
type Path = () => Promise<string>;

const KB = 1_024;
const LIMIT = 256 * KB;
const TUS = { 'Tus-Resumable': '1.0.0' };
const CHUNK = { ...TUS, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' };
const UNKNOWN_UPLOAD = 'A'.repeat(43);
/** Tested elsewhere, because they need preparation. */
const ELSEWHERE: readonly string[] = [
  ...[
    'POST /api/storage/files/{id}',
    'POST /api/storage/files/{id}/replace',
    'POST /api/storage/uploads',
    'PATCH /api/storage/uploads/{id}',
  ].map((name) => `${name} storage_full`),
  'GET /api/storage/export/{id} path_too_long',
  ...['PATCH', 'GET', 'DELETE'].map((method) => `${method} /api/storage/uploads/{id} upload_locked`),
  ...['upload_locked', 'idempotency_conflict'].flatMap((code) =>
    ['/api/storage/uploads', '/public/folder/{token}/uploads'].map((path) => `POST ${path} ${code}`),
  ),
  ...['/public/folder/{token}/uploads/{key}', '/api/storage/uploads/{id}'].map(
    (path) => `GET ${path} method_not_allowed`,
  ),
  ...['PATCH', 'GET'].map((method) => `${method} /api/storage/uploads/{id} upload_expired`),
  // storage-teams.test.ts, storage-roles.test.ts, folders/moves.test.ts
  'PATCH /api/storage/folders/{id} quota_exceeded',
  ...['move', 'copy'].map((action) => `POST /api/storage/files/{id}/${action} quota_exceeded`),
  ...['name_taken', 'folder_too_large', 'rate_limited', 'quota_exceeded'].map(
    (code) => `POST /api/storage/folders/{id}/copy ${code}`,
  ),
  // tree/dependents.test.ts
  'PATCH /api/storage/links/{id} limit_reached',
  // folders/bounds.test.ts
  ...[
    'POST /api/storage/folders',
    'PATCH /api/storage/folders/{id}',
    'POST /api/storage/folders/{id}/copy',
    'POST /api/storage/trash/{id}/restore',
    'POST /api/storage/files/{id}/restore',
  ].flatMap((name) => [`${name} folder_too_deep`, `${name} folder_full`]),
  // folders/bounds.test.ts, trash/moves.test.ts
  ...[
    'PATCH /api/storage/folders/{id}',
    'DELETE /api/storage/folders/{id}',
    'POST /api/storage/trash/{id}/restore',
    'POST /api/storage/files/{id}/restore',
    'DELETE /api/storage/trash/{id}',
    'DELETE /api/storage/trash',
  ].map((name) => `${name} unavailable`),
  // storage-conflicts.test.ts
  ...[
    'PATCH /api/storage/files/{id}',
    'POST /api/storage/files/{id}',
    'POST /api/storage/files/{id}/move',
    'POST /api/storage/uploads',
    'PATCH /api/storage/uploads/{id}',
  ].map((name) => `${name} name_taken`),
  // storage-trash.test.ts
  ...['name_taken', 'quota_exceeded'].map((code) => `POST /api/storage/trash/{id}/restore ${code}`),
  'POST /api/storage/workspaces workspace_not_allowed',
  'DELETE /api/storage/workspaces/{id} personal_workspace',
  'POST /api/storage/workspaces/{id}/tokens personal_workspace',
  ...['unknown_account', 'already_member', 'personal_workspace'].map(
    (code) => `POST /api/storage/workspaces/{id}/members ${code}`,
  ),
  ...['PATCH', 'DELETE'].flatMap((method) =>
    ['last_manager', 'personal_workspace'].map(
      (code) => `${method} /api/storage/workspaces/{id}/members/{accountId} ${code}`,
    ),
  ),
  // By the receiver of uploads, and fair-queue.test.ts.
  ...['file_too_large', 'storage_full', 'rate_limited', 'unavailable'].map(
    (code) => `POST /api/storage/files/{id}/copy ${code}`,
  ),
  // storage-link-uploads.test.ts
  ...['upload_limit_reached', 'file_too_large', 'quota_exceeded', 'rate_limited', 'storage_full'].map(
    (code) => `POST /public/folder/{token}/files ${code}`,
  ),
  // storage-link-resumable.test.ts, and as for `/api/storage/uploads`.
  ...[
    'POST /public/folder/{token}/uploads limit_reached',
    'POST /public/folder/{token}/uploads rate_limited',
    ...['upload_limit_reached', 'file_too_large', 'quota_exceeded', 'storage_full'].map(
      (code) => `POST /public/folder/{token}/uploads ${code}`,
    ),
    ...['precondition_failed', 'checksum_mismatch'].map(
      (code) => `POST /public/folder/{token}/uploads ${code}`,
    ),
    'POST /public/folder/{token}/uploads/{key} precondition_failed',
    ...[
      'upload_offset_wrong',
      'upload_limit_reached',
      'checksum_mismatch',
      'quota_exceeded',
      'storage_full',
    ].map((code) => `PATCH /public/folder/{token}/uploads/{key} ${code}`),
    ...['PATCH', 'GET'].map((method) => `${method} /public/folder/{token}/uploads/{key} upload_expired`),
    ...['PATCH', 'GET', 'DELETE'].flatMap((method) =>
      ['upload_locked', 'precondition_failed'].map(
        (code) => `${method} /public/folder/{token}/uploads/{key} ${code}`,
      ),
    ),
  ],
  // storage-links.test.ts
  ...['/public/folder/{token}/export', '/public/folder/{token}/export/{id}', '/api/storage/export/{id}'].map(
    (path) => `GET ${path} rate_limited`,
  ),
  // row-limit.ts: limits.test.ts, uploads.test.ts
  ...['links', 'uploads', 'workspaces/{id}/tokens'].map((path) => `POST /api/storage/${path} limit_reached`),
  // By the function of `GET /api/storage/files/{id}/thumbnail`.
  ...['precondition_failed', 'range_not_satisfiable'].flatMap((code) =>
    ['thumbnail', 'preview'].map((kind) => `GET /public/folder/{token}/${kind}/{id} ${code}`),
  ),
  // storage-thumbnails.test.ts
  'GET /public/folder/{token}/preview/{id} download_limit_reached',
  // As for `GET /api/storage/export/{id}`.
  ...['export', 'export/{id}'].map((path) => `GET /public/folder/{token}/${path} path_too_long`),
  // export.test.ts
  ...['/public/folder/{token}/export', '/public/folder/{token}/export/{id}', '/api/storage/export/{id}'].map(
    (path) => `GET ${path} folder_too_large`,
  ),
  // A GET of a locked page returns the form.
  ...['', '/{id}'].map((path) => `GET /public/folder/{token}${path} file_password_required`),
  'GET /public/file/{token} access_key_required',
  'GET /public/file/{token} file_password_required',
];

describe('refusals of storage', () => {
  let posthouse: Posthouse;
  let owner: Headers;
  let other: Headers;
  let full: Headers;
  let admin: Headers;
  let workspaceId: string;
  let files: ReturnType<typeof filesOf>;
  let others: ReturnType<typeof filesOf>;

  beforeAll(async () => {
    const settings = {
      ...(await freshSettings(BACKENDS[0])),
      POSTHOUSE_MAX_FILE_BYTES: String(LIMIT),
      POSTHOUSE_WORKSPACE_BYTES: String(LIMIT * 1.5),
      // As a trusted proxy, a test can have any number of client addresses.
      POSTHOUSE_TRUSTED_PROXIES: '127.0.0.1,::1',
    };
    posthouse = await startPosthouse(settings);
    posthouse = { ...posthouse, fetch: await fetchingDeclared(posthouse) };
    const people = [];
    for (const name of ['owner', 'other', 'full'])
      people.push(await addPerson(settings, `${name}@example.org`));
    [owner = {}, other = {}, full = {}] = people.map((person) => person.headers);
    admin = (await signInAdmin(posthouse)).headers;
    files = filesOf(posthouse, owner);
    others = filesOf(posthouse, other);
    await filesOf(posthouse, full).upload(new Uint8Array(LIMIT));
    [{ id: workspaceId }] = await files.read<[{ id: string }]>('/api/storage/workspaces');
  });
  afterAll(() => posthouse.stop());

  let made = 0;
  const of = (whose: 'owner' | 'other') => (whose === 'owner' ? files : others);
  const newFile = async (whose: 'owner' | 'other' = 'owner') => (await of(whose).upload('bytes')).id;
  const newFolder = (whose: 'owner' | 'other' = 'owner', parentFolderId = 'root') =>
    of(whose).newFolder(`folder ${made++}`, parentFolderId);
  const newUpload = async (headers: Headers = owner) => {
    const begun = {
      ...headers,
      ...TUS,
      'Upload-Length': '6',
      'Upload-Metadata': metadata({ filename: 'a' }),
    };
    return (
      (await posthouse.fetch('/api/storage/uploads', { method: 'POST', headers: begun })).headers.get(
        'Location',
      ) ?? ''
    );
  };
  const form = (bytes: number, name = 'file') => {
    const data = new FormData();
    data.set(name, new Blob([new Uint8Array(bytes)]), 'a.bin');
    return data;
  };
  const send = (
    method: string,
    path: string,
    headers: Headers,
    body?: FormData | string | Uint8Array<ArrayBuffer>,
  ) => posthouse.fetch(path, { method, headers, body });
  /** Returns the path of the version of `bytes` that a smaller content has replaced. */
  const newVersion = async (headers: Headers, bytes: string | Uint8Array<ArrayBuffer> = 'bytes') => {
    const whose = filesOf(posthouse, headers);
    const { id } = await whose.upload(bytes);
    await whose.replace(id, 'x');
    const [version] = await whose.read<{ id: string }[]>(`/api/storage/files/${id}/versions`);
    return `/api/storage/files/${id}/versions/${version?.id}`;
  };
  const json = (method: string, path: string, body: unknown, headers = owner) =>
    send(method, path, { ...headers, 'Content-Type': 'application/json' }, JSON.stringify(body));
  const file =
    (rest: string): Path =>
    async () =>
      `/api/storage/files/${await newFile()}${rest}`;
  const folder: Path = async () => `/api/storage/files/${await newFolder()}`;

  /** Sets the password `right`, whose hash costs less than that of the server. */
  const protect = async (table: 'files' | 'links', id: string) => {
    const { database } = await foundationOf(posthouse.settings);
    const hash = await cheapPasswords.hash('right', '');
    const change = sql`update ${sql.table(table)} set password_hash = ${hash} where id = ${id}`;
    await database.transaction((trx) => change.execute(trx));
  };

  /** Creates a file with both secrets. */
  async function shared(way: (file: { id: string; directToken: string; uiToken: string }) => string) {
    const id = await newFile();
    const changed = await files.change(id, { visibility: 1, accessKey: true });
    await protect('files', id);
    return {
      id,
      path: way(changed),
      key: changed.accessKeyPlain ?? '',
      both: { 'X-Access-Key': changed.accessKeyPlain ?? '', 'X-File-Password': 'right' },
    };
  }

  /** Rejections of a wrong secret or an expired link. @param get requests the path with these secrets */
  function wrongSecrets(
    way: Parameters<typeof shared>[0],
    get = (path: string, secrets: Headers) => send('GET', path, secrets),
  ): Refusals {
    return {
      access_key_wrong: async () => get((await shared(way)).path, { 'X-Access-Key': 'wrong' }),
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

  /** Rejections of anonymous access. @param get requests the path with these secrets */
  function strangers(
    way: Parameters<typeof shared>[0],
    get = (path: string, secrets: Headers) => send('GET', path, secrets),
  ): Refusals {
    return {
      ...wrongSecrets(way, get),
      access_key_required: async () => get((await shared(way)).path, {}),
      file_password_required: async () => {
        const { path, key } = await shared(way);
        return await get(path, { 'X-Access-Key': key });
      },
    };
  }

  const withoutPicture = (get: (kind: 'thumbnail' | 'preview') => Promise<Response>): Refusals => ({
    no_thumbnail: () => get('thumbnail'),
    no_preview: () => get('preview'),
  });

  function bytesRefused(way: Parameters<typeof shared>[0]): Refusals {
    return {
      ...strangers(way),
      ...withoutPicture(async (kind) => {
        const { path, both } = await shared(way);
        return await send('GET', `${path}?${kind}=1`, both);
      }),
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

  const bytesOut = (path: Path): Refusals => ({
    precondition_failed: async () => send('GET', await path(), { ...owner, 'If-Match': '"other"' }),
    range_not_satisfiable: async () => send('GET', await path(), { ...owner, Range: 'bytes=99999-' }),
  });

  const formIn = (path: Path): Refusals => ({
    invalid_request: async () => send('POST', await path(), owner, form(10, 'other')),
    file_too_large: async () => send('POST', await path(), owner, form(LIMIT + 1)),
    unsupported_media_type: async () =>
      send('POST', await path(), { ...owner, 'Content-Type': 'text/plain' }, 'x'),
  });

  const withChecksum = { ...CHUNK, 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` };
  const filled = () => filesOf(posthouse, full);
  const ofPicture = (kind: 'thumbnail' | 'preview'): Refusals => ({
    ...bytesOut(async () => {
      const { id } = await files.upload(await picture('red'), { name: 'a.png' });
      return await renditionOf(files, id, kind);
    }),
    [`no_${kind}`]: async () => send('GET', `/api/storage/files/${await newFile()}/${kind}`, owner),
  });
  const rows: Record<string, Refusals> = {
    'POST /api/storage/folders': {
      not_found: async () =>
        json('POST', '/api/storage/folders', { name: 'a', parentFolderId: await newFolder('other') }),
      name_taken: async () => {
        await json('POST', '/api/storage/folders', { name: 'Taken' });
        return await json('POST', '/api/storage/folders', { name: 'tAKEN' });
      },
    },
    'PATCH /api/storage/folders/{id}': {
      folder_too_deep: async () => {
        const { database } = await foundationOf(posthouse.settings);
        const parentFolderId = await addFolderChain(database, await newFolder(), Array(299).fill('inside'));
        return await json('PATCH', `/api/storage/folders/${await newFolder()}`, { parentFolderId });
      },
      name_taken: async () => {
        await json('POST', '/api/storage/folders', { name: 'sibling' });
        return await json('PATCH', `/api/storage/folders/${await newFolder()}`, { name: 'SIBLING' });
      },
      folder_cycle: async () => {
        const top = await newFolder();
        return await json('PATCH', `/api/storage/folders/${top}`, {
          parentFolderId: await newFolder('owner', top),
        });
      },
      root_folder: () => json('PATCH', '/api/storage/folders/root', { name: 'b' }),
    },
    'DELETE /api/storage/folders/{id}': {
      invalid_request: () => send('DELETE', '/api/storage/folders/root?recursive=yes', owner),
      folder_not_empty: async () => {
        const top = await newFolder();
        await newFolder('owner', top);
        return await send('DELETE', `/api/storage/folders/${top}`, owner);
      },
      root_folder: () => send('DELETE', '/api/storage/folders/root?recursive=true', owner),
    },
    'GET /api/storage/usage': {
      not_found: async () => send('GET', `/api/storage/usage?workspaceId=${workspaceId}`, other),
    },
    'GET /api/storage/files/{id}': {
      invalid_request: () => send('GET', '/api/storage/files/root?limit=0', owner),
    },
    'POST /api/storage/files/{id}': {
      ...formIn(folder),
      quota_exceeded: () => send('POST', '/api/storage/files/root', full, form(LIMIT)),
    },
    'GET /api/storage/files/{id}/content': { ...bytesOut(file('/content')) },
    'GET /api/storage/files/{id}/thumbnail': ofPicture('thumbnail'),
    'GET /api/storage/files/{id}/preview': ofPicture('preview'),
    'POST /api/storage/files/{id}/replace': {
      ...formIn(file('/replace')),
      quota_exceeded: async () => {
        const { id } = await filled().upload('small');
        return await send('POST', `/api/storage/files/${id}/replace`, full, form(LIMIT));
      },
    },
    'POST /api/storage/files/{id}/copy': {
      name_taken: async () => {
        const { id, folderId: targetFolderId } = await files.metadata(await newFile());
        return await json('POST', `/api/storage/files/${id}/copy`, { targetFolderId, onConflict: 'fail' });
      },
      not_a_picture: async () =>
        json('POST', `/api/storage/files/${await newFile()}/copy`, {
          targetFolderId: 'root',
          withoutMetadata: true,
        }),
    },
    'GET /api/storage/files/{id}/versions/{versionId}/content': {
      ...bytesOut(async () => `${await newVersion(owner)}/content`),
    },
    'POST /api/storage/files/{id}/versions/{versionId}/restore': {
      quota_exceeded: async () => {
        const version = await newVersion(full, new Uint8Array(100 * KB));
        const filler = await filled().upload(new Uint8Array(100 * KB));
        const answer = await send('POST', `${version}/restore`, full);
        await filled().remove(filler.id);
        return answer;
      },
    },
    'POST /api/storage/files/{id}/restore': {
      name_taken: async () => {
        const name = `restored ${made++}`;
        const { id } = await files.upload('bytes', { name });
        await files.remove(id);
        await files.upload('bytes', { name });
        return await json('POST', `/api/storage/files/${id}/restore`, { onConflict: 'fail' });
      },
      quota_exceeded: async () => {
        const { id } = await filled().upload(new Uint8Array(100 * KB));
        await filled().remove(id);
        const filler = await filled().upload(new Uint8Array(100 * KB));
        const answer = await send('POST', `/api/storage/files/${id}/restore`, full);
        await filled().remove(filler.id);
        return answer;
      },
    },
    'GET /api/storage/export/{id}': {
      ...bytesOut(async () => {
        const id = await newFolder();
        await files.upload('bytes', { folder: id });
        return `/api/storage/export/${id}`;
      }),
    },
    'POST /api/storage/uploads': {
      invalid_request: () => send('POST', '/api/storage/uploads', { ...owner, ...TUS, 'Upload-Length': '6' }),
      not_found: async () => {
        const elsewhere = metadata({ filename: 'a', folderId: await newFolder('other') });
        return await send('POST', '/api/storage/uploads', {
          ...owner,
          ...TUS,
          'Upload-Length': '6',
          'Upload-Metadata': elsewhere,
        });
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
        send('POST', '/api/storage/uploads', {
          ...full,
          ...TUS,
          'Upload-Length': String(LIMIT),
          'Upload-Metadata': 'filename YQ==',
        }),
      checksum_mismatch: () =>
        send(
          'POST',
          '/api/storage/uploads',
          { ...owner, ...withChecksum, 'Upload-Length': '6', 'Upload-Metadata': 'filename YQ==' },
          'abc',
        ),
    },
    'POST /api/storage/uploads/{id}': {
      invalid_request: async () => send('POST', await newUpload(), { ...owner, ...TUS }),
      precondition_failed: async () =>
        send('POST', await newUpload(), { ...owner, 'X-HTTP-Method-Override': 'PATCH' }),
    },
    'PATCH /api/storage/uploads/{id}': {
      invalid_request: async () =>
        send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Upload-Offset': 'x' }, 'abc'),
      upload_offset_wrong: async () =>
        send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Upload-Offset': '3' }, 'abc'),
      precondition_failed: async () =>
        send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Tus-Resumable': '2.0.0' }, 'abc'),
      unsupported_media_type: async () =>
        send('PATCH', await newUpload(), { ...owner, ...CHUNK, 'Content-Type': 'text/plain' }, 'abc'),
      checksum_mismatch: async () => send('PATCH', await newUpload(), { ...owner, ...withChecksum }, 'abc'),
      quota_exceeded: async () => {
        const setQuota = (maxBytes: number | null) =>
          json(
            'PATCH',
            `/api/admin/workspaces/${workspaceId}`,
            { maxBytes },
            { ...admin, Origin: posthouse.url },
          );
        const path = await newUpload();
        expect((await setQuota(0)).status).toBe(200);
        const answer = await send('PATCH', path, { ...owner, ...CHUNK }, 'abcdef');
        await setQuota(null);
        // No bytes are lost: it becomes a file as soon as there is space.
        expect(
          (await send('HEAD', path, { ...owner, ...TUS })).headers.get('Posthouse-File-Id'),
        ).toBeString();
        return answer;
      },
    },
    'GET /api/storage/uploads/{id}': {
      precondition_failed: async () => send('HEAD', await newUpload(), owner),
    },
    'DELETE /api/storage/uploads/{id}': {
      precondition_failed: async () => send('DELETE', await newUpload(), owner),
    },
    'GET /api/storage/public/media/{token}': {
      not_found: () => send('GET', '/api/storage/public/media/unknown', {}),
      ...bytesRefused(({ directToken }) => `/api/storage/public/media/${directToken}`),
    },
    'GET /api/storage/public/private/{id}': {
      not_found: async () => send('GET', `/api/storage/public/private/${await newFile()}`, {}),
      ...bytesRefused(({ id }) => `/api/storage/public/private/${id}`),
    },
    'GET /public/media/{token}': {
      not_found: () => send('GET', '/public/media/unknown', {}),
      ...bytesRefused(({ uiToken }) => `/public/media/${uiToken}`),
    },
    'GET /public/file/{token}': {
      not_found: () => send('GET', '/public/file/unknown', {}),
      ...wrongSecrets(({ uiToken }) => `/public/file/${uiToken}`),
    },
    'POST /public/file/{token}': {
      not_found: () => unlock('/public/file/unknown', {}),
      unsupported_media_type: () => send('POST', '/public/file/unknown', {}, form(1)),
      body_too_large: () =>
        send('POST', '/public/file/unknown', { 'Content-Type': FORM }, 'a'.repeat(20 * KB)),
      ...strangers(({ uiToken }) => `/public/file/${uiToken}`, unlock),
    },
  };
  Object.assign(rows, linkRows());

  interface LinkParts {
    id: string;
    token: string;
    folderId: string;
    fileId: string;
  }

  let links = 0;
  /** Wrong passwords of one address are limited for all links together: the visitors of each have their own. */
  const visitor = () => ({ 'X-Forwarded-For': `203.0.113.${links}` });

  /** Creates a link with a password to a folder with a file and a folder in it. */
  async function newLink(): Promise<LinkParts> {
    links++;
    const top = await newFolder();
    const folderId = await newFolder('owner', top);
    const { id: fileId } = await files.upload('bytes', { folder: top });
    await files.upload('bytes', { folder: folderId });
    const settings = { folderId: top, access: 'both' };
    const { id, token } = (await (await json('POST', '/api/storage/links', settings)).json()) as LinkParts;
    await protect('links', id);
    return { id, token, folderId, fileId };
  }

  /** Rejections of visitors of a link. @param get requests the path with this password; undefined = none */
  function visitors(
    way: (link: LinkParts) => string,
    get = (path: string, password?: string) =>
      send('GET', path, { ...visitor(), ...(password !== undefined && { 'X-File-Password': password }) }),
  ): Refusals {
    const open = async (password?: string) => await get(way(await newLink()), password);
    return {
      file_password_required: () => open(),
      file_password_wrong: () => open('wrong'),
      too_many_attempts: async () => {
        const path = way(await newLink());
        for (let guess = 0; guess < 10; guess++) await get(path, `guess ${guess}`);
        return await get(path, 'right');
      },
      link_expired: async () => {
        const link = await newLink();
        await json('PATCH', `/api/storage/links/${link.id}`, { expiresAt: '2020-01-01T00:00:00Z' });
        return await get(way(link), 'right');
      },
    };
  }

  /** Rejections of requests for the bytes that a link opens. */
  function linkBytes(way: (link: LinkParts) => string): Refusals {
    const open = async (headers: Headers) =>
      await send('GET', way(await newLink()), { ...headers, 'X-File-Password': 'right' });
    return {
      ...visitors(way),
      precondition_failed: () => open({ 'If-Match': '"other"' }),
      range_not_satisfiable: () => open({ Range: 'bytes=99999-' }),
      download_limit_reached: async () => {
        const link = await newLink();
        await json('PATCH', `/api/storage/links/${link.id}`, { maxDownloads: 1 });
        const as = (name: string) =>
          send('GET', way(link), { 'X-File-Password': 'right', 'User-Agent': name });
        await (await as('first')).bytes();
        return await as('second');
      },
    };
  }

  function linkRows(): Record<string, Refusals> {
    const page = '/public/folder/{token}';
    const at =
      (rest: (link: LinkParts) => string = () => '') =>
      (link: LinkParts) =>
        `/public/folder/${link.token}${rest(link)}`;
    const below = at(({ folderId }) => `/${folderId}`);
    const unlockLink = (path: string, password?: string) =>
      send(
        'POST',
        path,
        { 'Content-Type': FORM },
        new URLSearchParams(password ? { password } : {}).toString(),
      );
    const sendFile = (path: string, password?: string) =>
      send(
        'POST',
        path,
        { ...visitor(), ...(password !== undefined && { 'X-File-Password': password }) },
        form(1),
      );
    const sendUpload = (method: string) => (path: string, password?: string) =>
      send(
        method,
        path,
        {
          ...visitor(),
          ...(method === 'PATCH' ? CHUNK : { ...TUS, 'Upload-Length': '1' }),
          'X-HTTP-Method-Override': method === 'POST' ? 'DELETE' : method,
          ...(password !== undefined && { 'X-File-Password': password }),
        },
        method === 'PATCH' ? 'x' : undefined,
      );
    const { file_password_required: _, ...shown } = visitors(at());
    const { file_password_required: __, ...shownBelow } = visitors(below);
    const rendition = (kind: string) => {
      const path = at(({ fileId }) => `/${kind}/${fileId}`);
      return {
        ...visitors(path),
        [`no_${kind}`]: async () =>
          send('GET', path(await newLink()), { ...visitor(), 'X-File-Password': 'right' }),
      };
    };
    return {
      'GET /api/storage/public/folder/{token}': visitors(
        ({ token }) => `/api/storage/public/folder/${token}`,
      ),
      [`GET ${page}`]: shown,
      [`GET ${page}/{id}`]: shownBelow,
      [`POST ${page}`]: visitors(at(), unlockLink),
      [`POST ${page}/{id}`]: visitors(below, unlockLink),
      [`POST ${page}/files`]: visitors(
        at(() => '/files'),
        sendFile,
      ),
      [`POST ${page}/uploads`]: visitors(
        at(() => '/uploads'),
        sendUpload('POST'),
      ),
      ...Object.fromEntries(
        ['POST', 'PATCH', 'GET', 'DELETE'].map((method) => {
          const path = at(() => `/uploads/${UNKNOWN_UPLOAD}`);
          const { link_expired } = visitors(path, sendUpload(method));
          return [`${method} ${page}/uploads/{key}`, { link_expired }];
        }),
      ),
      [`GET ${page}/file/{id}`]: linkBytes(at(({ fileId }) => `/file/${fileId}`)),
      [`GET ${page}/export`]: linkBytes(at(() => '/export')),
      [`GET ${page}/export/{id}`]: linkBytes(at(({ folderId }) => `/export/${folderId}`)),
      [`GET ${page}/thumbnail/{id}`]: rendition('thumbnail'),
      [`GET ${page}/preview/{id}`]: rendition('preview'),
    };
  }
  const FORM = 'application/x-www-form-urlencoded';
  function unlock(path: string, secrets: Headers) {
    const fields = {
      accessKey: secrets['X-Access-Key'] ?? '',
      filePassword: secrets['X-File-Password'] ?? '',
    };
    return send('POST', path, { 'Content-Type': FORM }, new URLSearchParams(fields).toString());
  }

  testRefusals(rows, {
    posthouse: () => posthouse,
    paths: /^\/(?:api\/storage|public)\//,
    elsewhere: ELSEWHERE,
  });
});
