import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import { readJson } from '../../kernel/http/body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, type Security } from '../../kernel/http/endpoint.ts';
import { invalidField } from '../../kernel/http/problem.ts';
import type { Folders } from '../folders.ts';
import { readFolderName } from '../names.ts';
import { bodyFolderId, pathFolderId } from './folder-id.ts';
import { folderRecord, folderSchema } from './records.ts';

interface FolderRoutesParts {
  database: Database;
  guard: Guard;
  folders: Folders;
}

const tags = ['folders'];
const security: Security[] = ['session', 'bearer'];
const creation = z.object({ name: z.string(), parentFolderId: z.string().nullish() });
const change = z.object({ name: z.string().optional(), parentFolderId: z.string().optional() });
const detailed = folderSchema.extend({
  folders: z.array(folderSchema),
  path: z.array(z.object({ id: z.uuid(), name: z.string() })),
});

/** Folders: create, look into, rename, move, delete. */
export function mountFolders(app: App, { database, guard, folders }: FolderRoutesParts): void {
  endpoint(
    app,
    'post',
    '/api/storage/folders',
    {
      summary: 'Create a folder',
      tags,
      security,
      body: { 'application/json': creation },
      answers: { 201: { description: 'The folder.', schema: folderSchema } },
      problems: ['login_required', 'invalid_request', 'not_found', 'name_taken'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const body = await readJson(c, creation);
      const name = readFolderName(body.name, 'name');
      const parentId = bodyFolderId(body.parentFolderId ?? 'root', 'parentFolderId');
      const folder = await database.transaction(async (trx) => folders.create(trx, await folders.find(trx, accountId, parentId), name));
      return c.json(folderRecord(folder), 201, { Location: `/api/storage/folders/${folder.id}` });
    },
  );

  endpoint(
    app,
    'get',
    '/api/storage/folders/{id}',
    {
      summary: 'A folder with its subfolders and the way to it',
      tags,
      security,
      answers: { 200: { description: 'The folder; `path` leads from the root down to it.', schema: detailed } },
      problems: ['login_required', 'not_found'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const folder = await folders.find(database.read, accountId, pathFolderId(c));
      const [children, path] = await Promise.all([folders.children(folder.id), folders.path(folder.id)]);
      return c.json({ ...folderRecord(folder), folders: children.map(folderRecord), path });
    },
  );

  endpoint(
    app,
    'patch',
    '/api/storage/folders/{id}',
    {
      summary: 'Rename or move a folder',
      tags,
      security,
      body: { 'application/json': change },
      answers: { 200: { description: 'The folder as it is now.', schema: folderSchema } },
      problems: ['login_required', 'invalid_request', 'not_found', 'name_taken', 'folder_cycle', 'root_folder'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathFolderId(c);
      const body = await readJson(c, change);
      if (body.name === undefined && body.parentFolderId === undefined) throw invalidField('name', 'name or parentFolderId is required');
      const name = body.name === undefined ? undefined : readFolderName(body.name, 'name');
      const parentId = body.parentFolderId === undefined ? undefined : bodyFolderId(body.parentFolderId, 'parentFolderId');
      const folder = await database.transaction(async (trx) => {
        const found = await folders.find(trx, accountId, id);
        const parent = parentId === undefined ? undefined : await folders.find(trx, accountId, parentId);
        return await folders.change(trx, found, { name, parent });
      });
      return c.json(folderRecord(folder));
    },
  );

  endpoint(
    app,
    'delete',
    '/api/storage/folders/{id}',
    {
      summary: 'Delete a folder',
      tags,
      security,
      query: z.object({ recursive: z.enum(['true', 'false']).optional() }),
      answers: { 204: { description: 'Gone. Its files can be restored for a while, into the root.', schema: null } },
      problems: ['login_required', 'not_found', 'folder_not_empty', 'root_folder'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const id = pathFolderId(c);
      const recursive = c.req.query('recursive') === 'true';
      await database.transaction(async (trx) => folders.remove(trx, await folders.find(trx, accountId, id), recursive));
      return c.body(null, 204);
    },
  );
}
