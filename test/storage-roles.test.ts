import { describe, expect, test } from 'bun:test';
import { BACKENDS, freshSettings } from './harness/backends.ts';
import { filesOf } from './harness/files.ts';
import { foundationOf } from './harness/foundation.ts';
import { jsonOf } from './harness/json.ts';
import { type Operation, readDocument } from './harness/openapi.ts';
import { addPerson, startPosthouse } from './harness/posthouse.ts';
import { createTeam, createTeamToken, type Person, type WorkspaceAnswer } from './harness/teams.ts';
import { tusOf } from './harness/tus.ts';

/*
 * Every endpoint of storage that requires a role, called by every kind of member of both kinds of workspaces. The
 * endpoints and their roles come from the OpenAPI document, which `access.test.ts` compares with `access.json`.
 */

const RANKS = ['none', 'viewer', 'editor', 'manager'];
/** Endpoints that require more for the requests of this test than for others. */
const STRICTER: Record<string, string> = {
  // Copies into the same workspace; viewers may copy into another.
  'POST /api/storage/files/{id}/copy': 'editor',
  'POST /api/storage/folders/{id}/copy': 'editor',
  // Of another member; everyone may leave.
  'DELETE /api/storage/workspaces/{id}/members/{accountId}': 'manager',
};
/** Endpoints for all callers: the response differs by caller, not the right to call. */
const FOR_ALL = ['GET /api/storage/workspaces'];
const NO_PICTURE: Record<string, [number, string]> = {
  'GET /api/storage/files/{id}/thumbnail': [404, 'no_thumbnail'],
  'GET /api/storage/files/{id}/preview': [404, 'no_preview'],
};
/** Endpoints whose responses to members with every right differ. */
const ENDINGS: Record<string, Record<string, [number, string]>> = {
  shared: NO_PICTURE,
  personal: {
    ...NO_PICTURE,
    'DELETE /api/storage/workspaces/{id}': [409, 'personal_workspace'],
    'POST /api/storage/workspaces/{id}/restore': [404, 'not_found'],
    'POST /api/storage/workspaces/{id}/members': [409, 'personal_workspace'],
    'PATCH /api/storage/workspaces/{id}/members/{accountId}': [409, 'personal_workspace'],
    'DELETE /api/storage/workspaces/{id}/members/{accountId}': [409, 'personal_workspace'],
    'POST /api/storage/workspaces/{id}/tokens': [409, 'personal_workspace'],
    'DELETE /api/storage/workspaces/{id}/tokens/{tokenId}': [404, 'not_found'],
  },
};

const posthouse = await startPosthouse({
  ...(await freshSettings(BACKENDS[0])),
  POSTHOUSE_WORKSPACE_CREATORS: 'everyone',
});
const { settings } = posthouse;
const { database } = await foundationOf(settings);
const { operations } = await readDocument(posthouse);
const ofRoles = operations.filter(({ access, name }) => RANKS.includes(access) && !FOR_ALL.includes(name));
const team = await createTeam(posthouse);
const spare = await addPerson(settings, 'spare@example.org');
const owner = await addPerson(settings, 'owner@example.org');
const [personal] = (await jsonOf(posthouse, owner)<WorkspaceAnswer[]>('GET', '/api/storage/workspaces')).body;
const tokens = {
  viewer: await createTeamToken(posthouse, team, 'viewer'),
  editor: await createTeamToken(posthouse, team, 'editor'),
};

interface Place {
  kind: 'shared' | 'personal';
  workspace: WorkspaceAnswer;
  /** A member with every right. */
  manager: Person;
}
const shared: Place = { kind: 'shared', workspace: team.workspace, manager: team.manager };
const own: Place = { kind: 'personal', workspace: personal ?? team.workspace, manager: owner };

const CALLERS: [who: string, role: string, caller: Person, place: Place][] = [
  ['a stranger', 'none', team.stranger, shared],
  ['a viewer', 'viewer', team.viewer, shared],
  ['an editor', 'editor', team.editor, shared],
  ['a manager', 'manager', team.manager, shared],
  ['a viewing token', 'viewer', tokens.viewer, shared],
  ['an editing token', 'editor', tokens.editor, shared],
  ['its owner', 'manager', owner, own],
  ['a stranger', 'none', team.stranger, own],
  ['a token of another workspace', 'none', tokens.editor, own],
];

let made = 0;
const fresh = (name: string) => `${name} ${made++}`;

const newFile = async ({ workspace, manager }: Place) =>
  (await filesOf(posthouse, manager.headers).upload('bytes', { folder: workspace.rootFolderId })).id;

const newFolder = ({ workspace, manager }: Place) =>
  filesOf(posthouse, manager.headers).newFolder(fresh('folder'), workspace.rootFolderId);

/** An upload of the caller, begun while it had the right to. */
async function newUpload({ workspace, manager }: Place, caller: Person): Promise<string> {
  const values = { filename: 'a', folderId: workspace.rootFolderId };
  const answer = await tusOf(posthouse, manager.headers).create(6, values);
  const id = answer.headers.get('Location')?.split('/').at(-1) ?? '';
  await database.transaction((trx) =>
    trx.updateTable('uploads').set({ account_id: caller.id }).where('id', '=', id).execute(),
  );
  return id;
}

/** A link of the caller, created while it had the right to. */
async function newLink({ workspace, manager }: Place, caller: Person): Promise<string> {
  const body = { folderId: workspace.rootFolderId };
  const { id } = (await jsonOf(posthouse, manager)('POST', '/api/storage/links', body)).body;
  await database.transaction((trx) =>
    trx.updateTable('links').set({ created_by: caller.id }).where('id', '=', id).execute(),
  );
  return id;
}

/** A person who is a member, or is not. */
async function spareMember({ workspace }: Place, isMember: boolean): Promise<string> {
  await database.transaction(async (trx) => {
    await trx.deleteFrom('memberships').where('account_id', '=', spare.id).execute();
    const row = { workspace_id: workspace.id, account_id: spare.id, role: 'viewer' as const };
    if (isMember) await trx.insertInto('memberships').values(row).execute();
  });
  return spare.id;
}

/** The path of an operation with the ids of its resources. */
async function pathOf({ name, path }: Operation, place: Place, caller: Person): Promise<string> {
  const { workspace } = place;
  const inRoot = `?workspaceId=${workspace.id}`;
  if (path.endsWith('/search')) return `${path}${inRoot}&query=a`;
  if (path.endsWith('/{month}')) return `${path.replace('{month}', '2019-07')}${inRoot}`;
  if (!path.includes('{')) return path + inRoot;
  if (path.startsWith('/api/storage/workspaces/')) return await workspacePath(name, path, place);
  if (path.startsWith('/api/storage/uploads/')) return path.replace('{id}', await newUpload(place, caller));
  if (path.startsWith('/api/storage/links/')) return path.replace('{id}', await newLink(place, caller));
  const isFolder = /folder|export|^(?:GET|POST) \/api\/storage\/files\/\{id\}$/.test(name);
  const id = isFolder ? await newFolder(place) : await newFile(place);
  if (/\/files\/\{id\}\/restore$|\/trash\//.test(name))
    await posthouse.fetch(`/api/storage/files/${id}`, { method: 'DELETE', headers: place.manager.headers });
  const ofFile = path.replace('{id}', id);
  return path.includes('{versionId}') ? ofFile.replace('{versionId}', await newVersion(place, id)) : ofFile;
}

/** A version of a file. */
async function newVersion({ manager }: Place, id: string): Promise<string> {
  const files = filesOf(posthouse, manager.headers);
  await files.replace(id, 'other bytes');
  const [version] = await files.read<{ id: string }[]>(`/api/storage/files/${id}/versions`);
  return version?.id ?? '';
}

async function workspacePath(name: string, path: string, place: Place): Promise<string> {
  const accountId = await spareMember(place, place.kind === 'shared' && path.includes('{accountId}'));
  const isDeleted = name.endsWith('/restore') && place.kind === 'shared';
  await database.transaction((trx) =>
    trx
      .updateTable('workspaces')
      .set({ date_deleted: isDeleted ? Date.now() : null })
      .where('id', '=', place.workspace.id)
      .execute(),
  );
  const token = path.includes('{tokenId}') && place.kind === 'shared';
  const tokenId = token ? (await createTeamToken(posthouse, team, 'viewer')).id : crypto.randomUUID();
  return path
    .replace('{id}', place.workspace.id)
    .replace('{accountId}', accountId)
    .replace('{tokenId}', tokenId);
}

/** Values of the fields of bodies. */
async function bodyOf({ body, path }: Operation, place: Place): Promise<Record<string, unknown>> {
  const { workspace } = place;
  const { properties = {} } = body['application/json'] ?? {};
  const values: Record<string, unknown> = {
    name: fresh('name'),
    originalName: 'b.txt',
    parentFolderId: path.endsWith('/{id}') ? undefined : workspace.rootFolderId,
    folderId: workspace.rootFolderId,
    targetFolderId: 'targetFolderId' in properties ? await newFolder(place) : undefined,
    email: spare.email,
    role: 'viewer',
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in properties));
}

async function call(operation: Operation, place: Place, { headers }: Person, path: string) {
  const { method, body } = operation;
  const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'X-HTTP-Method-Override': 'DELETE' };
  const own = operation.path.startsWith('/api/storage/uploads') ? { ...headers, ...tus } : headers;
  const send = (added: Record<string, string>, content?: string | FormData) =>
    posthouse.fetch(path, { method, headers: { ...own, ...added }, body: content });
  if (operation.name === 'GET /api/storage/uploads/{id}')
    return await posthouse.fetch(path, { method: 'HEAD', headers: own });
  if (operation.name === 'POST /api/storage/uploads')
    return await send({ 'Upload-Length': '1', 'Upload-Metadata': `filename ${btoa('a')}` });
  if (body['application/json'])
    return await send({ 'Content-Type': 'application/json' }, JSON.stringify(await bodyOf(operation, place)));
  if (body['multipart/form-data']) {
    const form = new FormData();
    form.set('file', new Blob(['bytes']), 'a.txt');
    return await send({}, form);
  }
  if (body['application/offset+octet-stream'])
    return await send({ 'Content-Type': 'application/offset+octet-stream' }, 'abc');
  return await send({});
}

describe.each(CALLERS)('%s (%s)', (_, role, caller, place) => {
  test.each(ofRoles.map((operation) => [operation.name, operation] as const))(
    `of a ${place.kind} workspace: %s`,
    async (name, operation) => {
      const path = await pathOf(operation, place, caller);
      const answer = await call(operation, place, caller, path);
      const text = await answer.text();
      const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined;
      const isHead = name === 'GET /api/storage/uploads/{id}';
      const needed = STRICTER[name] ?? operation.access;
      if (role === 'none') expect([answer.status, code]).toEqual([404, isHead ? undefined : 'not_found']);
      else if (RANKS.indexOf(role) < RANKS.indexOf(needed))
        expect([answer.status, code]).toEqual([403, isHead ? undefined : 'role_insufficient']);
      else if (ENDINGS[place.kind]?.[name])
        expect([answer.status, code]).toEqual(ENDINGS[place.kind]?.[name] ?? []);
      else expect([answer.status, text]).toEqual([Math.min(answer.status, 204), text]);
    },
  );
});

test('tokens of workspaces reach nothing but files and events', async () => {
  const others = operations.filter(
    ({ access, path }) => ['account', 'session', 'admin'].includes(access) && path !== '/api/events',
  );
  for (const { method, path } of others) {
    const answer = await posthouse.fetch(path.replace(/\{\w+\}/g, spare.id), {
      method,
      headers: tokens.editor.headers,
    });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  expect(others.length).toBeGreaterThan(10);
});
