import { z } from '@hono/zod-openapi';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { ON_FOLDER_CONFLICT } from '../tree/folders/rules.ts';
import { requiring } from '../tree/member.ts';
import { readFolderName } from '../tree/names.ts';
import type { RoutesDeps } from './deps.ts';
import { folderId, folderIdField, targetFields, workspaceQuery } from './fields.ts';
import { folderRecord, folderSchema } from './records.ts';

const onConflict = z
  .enum(ON_FOLDER_CONFLICT, `must be ${ON_FOLDER_CONFLICT.join(' or ')}`)
  .default('fail')
  .openapi({
    description: 'When its name is taken: `rename` to “name (2)”, or `fail` with 409 `name_taken`',
  });
const folderChange = z
  .object({ name: z.string().min(1), parentFolderId: folderIdField })
  .partial()
  .extend({ onConflict });

/** Renames, moves and copies folders. */
export function mountFolderPlaces(app: App, { database, members, folders }: RoutesDeps): void {
  const shared = { tags: ['folders'], params: { id: folderId }, query: workspaceQuery } as const;

  endpoint(app, {
    ...shared,
    method: 'patch',
    path: '/api/storage/folders/{id}',
    operation: 'updateFolder',
    summary: 'Rename or move a folder',
    description:
      'The target may be in another workspace. Ids, tokens and secrets of the files are unchanged.',
    auth: members.editor,
    body: json(folderChange),
    responses: { 200: { description: 'The changed folder.', schema: folderSchema } },
    problems: [
      'name_taken',
      'folder_cycle',
      'folder_too_deep',
      'folder_full',
      'root_folder',
      'quota_exceeded',
      'unavailable',
    ],
    async handler({ caller, params: { id }, query, body }) {
      const name = body.name === undefined ? undefined : readFolderName(body.name);
      const { workspaceId } = query;
      const found = await folders.find(database.read, caller, id, workspaceId);
      const parent =
        body.parentFolderId === undefined
          ? undefined
          : await folders.find(database.read, caller, body.parentFolderId, workspaceId);
      const change = { name, onConflict: body.onConflict, by: caller.id };
      const folder =
        parent && parent.workspaceId !== found.workspaceId
          ? await folders.moveAcross(found, { ...change, parent })
          : await database.transaction((trx) => folders.change(trx, found, { ...change, parent }));
      return folderRecord(folder);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'post',
    path: '/api/storage/folders/{id}/copy',
    operation: 'copyFolder',
    summary: 'Copy a folder with everything in it',
    description:
      'Requires the role `editor` in the workspace of the target. Copies are private and have no secrets.',
    auth: members.viewer,
    body: json(targetFields.extend({ onConflict })),
    responses: { 201: { description: 'The copy.', schema: folderSchema } },
    problems: [
      'role_insufficient',
      'name_taken',
      'folder_too_large',
      'folder_too_deep',
      'folder_full',
      'rate_limited',
      'quota_exceeded',
    ],
    async handler({ caller, params: { id }, query, body, reply }) {
      const { workspaceId } = query;
      const source = await folders.find(database.read, caller, id, workspaceId);
      const editor = requiring(caller, 'editor');
      const target = await folders.find(database.read, editor, body.targetFolderId, workspaceId);
      const copy = await folders.copy(source, target, { onConflict: body.onConflict, by: caller.id });
      return reply(201, folderRecord(copy), { Location: `/api/storage/folders/${copy.id}` });
    },
  });
}
