import { z } from '@hono/zod-openapi';
import { optionalJson } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { ON_RESTORE_CONFLICT } from '../tree/trash/trees.ts';
import type { RoutesDeps } from './deps.ts';
import { fullRecord } from './full-record.ts';
import { metadataSchema } from './records.ts';

const restored = z.object({
  id: z.uuid(),
  kind: z.enum(['file', 'folder']),
  name: z.string().openapi({ description: 'Changed if the former name was taken' }),
  folderId: z.uuid().openapi({ description: 'The folder it is in' }),
});
const restoreOptions = z.object({
  onConflict: z.enum(ON_RESTORE_CONFLICT).default('rename').openapi({
    description:
      'When its name is taken: `rename` adds a number, `keep` does so for folders only, `fail` is 409 `name_taken`',
  }),
});

/** Restores deleted files and folders. */
export function mountRestore(app: App, deps: RoutesDeps): void {
  const { members, trash } = deps;
  const shared = {
    method: 'post',
    tags: ['trash'],
    auth: members.editor,
    params: { id: guid },
    body: optionalJson(restoreOptions),
    problems: ['name_taken', 'folder_too_deep', 'folder_full', 'quota_exceeded', 'unavailable'],
  } as const;

  endpoint(app, {
    ...shared,
    path: '/api/storage/trash/{id}/restore',
    operation: 'restoreFromTrash',
    summary: 'Restore a deleted file or folder',
    responses: { 200: { description: 'Restored to its place, with its ids and links.', schema: restored } },
    async handler({ caller, params: { id }, body }) {
      const { kind, name, folderId } = await trash.restore(caller, id, body.onConflict);
      return { id, kind, name, folderId };
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/restore',
    operation: 'restoreFile',
    summary: 'Restore a deleted file',
    responses: {
      200: {
        description:
          'The metadata. The file is restored to its folder, which is created again if it is gone.',
        schema: metadataSchema,
      },
    },
    async handler({ caller, params: { id }, body }) {
      const file = await trash.restoreFile(caller, id, body.onConflict);
      return await fullRecord(deps, file);
    },
  });
}
