import { z } from '@hono/zod-openapi';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { flag } from '../../kernel/http/params.ts';
import { json } from '../../kernel/http/request-body.ts';
import { ON_FOLDER_CONFLICT } from '../tree/folder-rules.ts';
import type { Folders } from '../tree/folders.ts';
import { requiring } from '../tree/member.ts';
import { readFolderName } from '../tree/names.ts';
import type { Trash } from '../tree/trash/trash.ts';
import { folderId, folderIdField, targetFields, workspaceQuery } from './fields.ts';
import type { Members } from './members.ts';
import { folderRecord, folderSchema } from './records.ts';

interface FolderRoutesDeps {
  database: Database;
  members: Members;
  folders: Folders;
  trash: Trash;
}

const onConflict = z
  .enum(ON_FOLDER_CONFLICT, `must be ${ON_FOLDER_CONFLICT.join(' or ')}`)
  .default('fail')
  .openapi({
    description: 'When its name is taken: `rename` to “name (2)”, or `fail` with 409 `name_taken`',
  });
const newFolder = z.object({ name: z.string(), parentFolderId: folderIdField.default('root') });
const folderChange = z
  .object({ name: z.string().min(1), parentFolderId: folderIdField })
  .partial()
  .extend({ onConflict });
const detailedFolder = folderSchema.extend({
  folders: z.array(folderSchema),
  path: z.array(z.object({ id: z.uuid(), name: z.string() })),
});

/** Folders: create, read, rename, move, delete. */
export function mountFolders(app: App, { database, members, folders, trash }: FolderRoutesDeps): void {
  const shared = { tags: ['folders'], auth: members.editor } as const;
  const ofFolder = {
    ...shared,
    path: '/api/storage/folders/{id}',
    params: { id: folderId },
    query: workspaceQuery,
  } as const;
  endpoint(app, {
    method: 'post',
    path: '/api/storage/folders',
    operation: 'createFolder',
    summary: 'Create a folder',
    ...shared,
    query: workspaceQuery,
    body: json(newFolder),
    answers: { 201: { description: 'The folder.', schema: folderSchema } },
    problems: ['not_found', 'name_taken'],
    async handler({ caller, query, body, reply }) {
      const name = readFolderName(body.name, 'name');
      const folder = await database.transaction(async (trx) =>
        folders.create(
          trx,
          await folders.find(trx, caller, body.parentFolderId, query.workspaceId),
          name,
          caller.id,
        ),
      );
      return reply(201, folderRecord(folder), { Location: `/api/storage/folders/${folder.id}` });
    },
  });

  endpoint(app, {
    ...ofFolder,
    method: 'get',
    operation: 'getFolder',
    summary: 'Get a folder with its subfolders',
    auth: members.viewer,
    answers: {
      200: {
        description: 'The folder; `path` leads from the root down to the folder itself.',
        schema: detailedFolder,
      },
    },
    async handler({ caller, params: { id }, query }) {
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      const [children, path] = await Promise.all([folders.children(folder), folders.path(folder)]);
      return { ...folderRecord(folder), folders: children.map(folderRecord), path };
    },
  });

  endpoint(app, {
    ...ofFolder,
    method: 'patch',
    operation: 'updateFolder',
    summary: 'Rename or move a folder',
    description: 'The target may be in another workspace. Ids, tokens and secrets of the files stay.',
    body: json(folderChange),
    answers: { 200: { description: 'The changed folder.', schema: folderSchema } },
    problems: ['name_taken', 'folder_cycle', 'root_folder', 'quota_exceeded'],
    async handler({ caller, params: { id }, query, body }) {
      const name = body.name === undefined ? undefined : readFolderName(body.name, 'name');
      const { workspaceId } = query;
      const found = await folders.find(database.read, caller, id, workspaceId);
      const parent =
        body.parentFolderId === undefined
          ? undefined
          : await folders.find(database.read, caller, body.parentFolderId, workspaceId);
      const folder =
        parent && parent.workspaceId !== found.workspaceId
          ? await folders.moveAcross(found, { name, parent, onConflict: body.onConflict })
          : await database.transaction((trx) =>
              folders.change(trx, found, { name, parent, onConflict: body.onConflict }),
            );
      return folderRecord(folder);
    },
  });

  endpoint(app, {
    ...ofFolder,
    method: 'post',
    path: '/api/storage/folders/{id}/copy',
    operation: 'copyFolder',
    summary: 'Copy a folder with all below it',
    description:
      'Requires the role `editor` in the workspace of the target. Copies are private and have no secrets.',
    auth: members.viewer,
    body: json(targetFields.extend({ onConflict })),
    answers: { 201: { description: 'The copy.', schema: folderSchema } },
    problems: ['role_insufficient', 'name_taken', 'folder_too_large', 'rate_limited', 'quota_exceeded'],
    async handler({ caller, params: { id }, query, body, reply }) {
      const { workspaceId } = query;
      const source = await folders.find(database.read, caller, id, workspaceId);
      const editor = requiring(caller, 'editor');
      const target = await folders.find(database.read, editor, body.targetFolderId, workspaceId);
      const copy = await folders.copy(source, target, { onConflict: body.onConflict, by: caller.id });
      return reply(201, folderRecord(copy), { Location: `/api/storage/folders/${copy.id}` });
    },
  });

  endpoint(app, {
    ...ofFolder,
    method: 'delete',
    operation: 'deleteFolder',
    summary: 'Delete a folder',
    query: workspaceQuery.extend({ recursive: flag }),
    answers: { 204: { description: 'Deleted with all below it. It can be restored for a few days.' } },
    problems: ['folder_not_empty', 'root_folder'],
    async handler({ caller, params: { id }, query }) {
      await trash.removeFolder((reader) => folders.find(reader, caller, id, query.workspaceId), {
        isRecursive: query.recursive,
        deletedBy: caller.id,
      });
    },
  });
}
