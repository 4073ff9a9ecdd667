import { z } from '@hono/zod-openapi';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { flag } from '../../kernel/http/params.ts';
import { readFolderName } from '../tree/names.ts';
import type { RoutesDeps } from './deps.ts';
import { folderId, folderIdField, workspaceQuery } from './fields.ts';
import { mountFolderPlaces } from './folder-places.ts';
import { folderRecord, folderSchema } from './records.ts';

const newFolder = z.object({ name: z.string(), parentFolderId: folderIdField.default('root') });
const detailedFolder = folderSchema.extend({
  folders: z.array(folderSchema),
  path: z.array(z.object({ id: z.uuid(), name: z.string() })),
});
const ofFolder = {
  path: '/api/storage/folders/{id}',
  tags: ['folders'],
  params: { id: folderId },
} as const;

/** Folders: create, read, rename, move, copy, delete. */
export function mountFolders(app: App, deps: RoutesDeps): void {
  mountCreation(app, deps);
  mountReading(app, deps);
  mountFolderPlaces(app, deps);
  mountDeletion(app, deps);
}

function mountCreation(app: App, { database, members, folders }: RoutesDeps): void {
  endpoint(app, {
    method: 'post',
    path: '/api/storage/folders',
    operation: 'createFolder',
    summary: 'Create a folder',
    tags: ['folders'],
    auth: members.editor,
    query: workspaceQuery,
    body: json(newFolder),
    responses: { 201: { description: 'The folder.', schema: folderSchema } },
    problems: ['not_found', 'name_taken', 'folder_too_deep', 'folder_full'],
    async handler({ caller, query, body, reply }) {
      const name = readFolderName(body.name);
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
}

function mountReading(app: App, { database, members, folders, giveWay }: RoutesDeps): void {
  endpoint(app, {
    ...ofFolder,
    method: 'get',
    operation: 'getFolder',
    summary: 'Get a folder with its subfolders',
    auth: members.viewer,
    query: workspaceQuery,
    giveWay,
    responses: {
      200: {
        description: 'The folder; `path` lists the folders from the root down to the folder itself.',
        schema: detailedFolder,
      },
    },
    async handler({ caller, params: { id }, query }) {
      const folder = await folders.find(database.read, caller, id, query.workspaceId);
      const path = await folders.path(folder);
      const children = await folders.children(folder);
      await giveWay();
      return { ...folderRecord(folder), folders: children.map(folderRecord), path };
    },
  });
}

function mountDeletion(app: App, { members, folders, trash }: RoutesDeps): void {
  endpoint(app, {
    ...ofFolder,
    method: 'delete',
    operation: 'deleteFolder',
    summary: 'Delete a folder',
    auth: members.editor,
    query: workspaceQuery.extend({ recursive: flag }),
    responses: { 204: { description: 'Deleted with everything in it. It can be restored for a few days.' } },
    problems: ['folder_not_empty', 'root_folder', 'unavailable'],
    async handler({ caller, params: { id }, query }) {
      await trash.removeFolder((reader) => folders.find(reader, caller, id, query.workspaceId), {
        isRecursive: query.recursive,
        deletedBy: caller.id,
      });
    },
  });
}
