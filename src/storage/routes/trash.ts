import { z } from '@hono/zod-openapi';
import { DAY, isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { nextLink } from '../../kernel/http/next-link.ts';
import { guid } from '../../kernel/http/params.ts';
import { optionalJson } from '../../kernel/http/request-body.ts';
import type { TrashEntry } from '../tree/trash/list.ts';
import type { Trash } from '../tree/trash/trash.ts';
import { ON_RESTORE_CONFLICT } from '../tree/trash/trees.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { workspaceQuery } from './fields.ts';
import { fullRecord, type RecordDeps } from './full-record.ts';
import type { Members } from './members.ts';
import { listItem, listItemSchema, metadataSchema, type Names } from './records.ts';

interface TrashRoutesDeps extends RecordDeps {
  database: Database;
  members: Members;
  trash: Trash;
  workspaces: Workspaces;
  trashDays: number;
}

const entryFields = z.object({
  id: z.uuid().openapi({ description: 'Of the file or folder' }),
  name: z.string(),
  path: z
    .string()
    .openapi({ description: 'Former place: the names of the folders', example: 'photos / Street' }),
  sizeBytes: z.int(),
  fileCount: z.int(),
  dateDeleted: z.iso.datetime(),
  dateErased: z.iso.datetime().openapi({ description: 'It can be restored until then' }),
  deletedBy: z.string().nullable().openapi({
    description: 'In a shared workspace: name of the member that deleted it',
  }),
});
const entry = z
  .discriminatedUnion('kind', [
    listItemSchema.extend(entryFields.shape).extend({ kind: z.literal('file') }),
    entryFields.extend({ kind: z.literal('folder') }),
  ])
  .openapi('TrashEntry');
const restored = z.object({
  id: z.uuid(),
  kind: z.enum(['file', 'folder']),
  name: z.string().openapi({ description: 'Changed where another has the former name' }),
  folderId: z.uuid().openapi({ description: 'The folder it is in' }),
});
const restoreOptions = z.object({
  onConflict: z.enum(ON_RESTORE_CONFLICT).default('rename').openapi({
    description:
      'When its name is taken: `rename` adds a number, `keep` does so for folders only, `fail` is 409 `name_taken`',
  }),
});
const pageQuery = workspaceQuery.extend({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: z.string().max(100).optional().openapi({ description: 'From the `Link` of the previous page' }),
});

/** Deleted files and folders: list, restore, erase. */
export function mountTrash(app: App, deps: TrashRoutesDeps): void {
  const { database, members, trash, workspaces, namesOf, trashDays } = deps;
  const shared = { tags: ['trash'], auth: members.editor } as const;
  const ofEntry = { ...shared, params: { id: guid } } as const;
  const restoring = {
    ...ofEntry,
    method: 'post',
    body: optionalJson(restoreOptions),
    problems: ['name_taken', 'quota_exceeded'],
  } as const;

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/trash',
    operation: 'listTrash',
    summary: 'List deleted files and folders, most recent first',
    query: pageQuery,
    answers: {
      200: {
        description:
          'A page of entries; a folder that was deleted with its content is one. `Link` as for files.',
        schema: z.array(entry),
      },
    },
    problems: ['not_found'],
    async handler({ c, caller, query }) {
      const workspace = await workspaces.find(database.read, caller, query.workspaceId ?? null);
      const { entries, nextCursor } = await trash.list(workspace, query);
      if (nextCursor !== null) c.header('Link', nextLink(c, 'cursor', nextCursor));
      const names = await namesOf([
        ...entries.flatMap(({ file }) => file ?? []),
        ...entries.map(({ deletedBy }) => ({
          workspaceId: workspace.id,
          createdBy: deletedBy,
          modifiedBy: null,
        })),
      ]);
      return entries.map((each) => record(each, names, trashDays));
    },
  });

  endpoint(app, {
    ...restoring,
    path: '/api/storage/trash/{id}/restore',
    operation: 'restoreFromTrash',
    summary: 'Restore a deleted file or folder',
    answers: { 200: { description: 'It is back in its place, with its ids and links.', schema: restored } },
    async handler({ caller, params: { id }, body }) {
      const { kind, name, folderId } = await trash.restore(caller, id, body.onConflict);
      return { id, kind, name, folderId };
    },
  });

  endpoint(app, {
    ...restoring,
    path: '/api/storage/files/{id}/restore',
    operation: 'restoreFile',
    summary: 'Restore a deleted file',
    answers: {
      200: {
        description: 'The metadata. The file is back in its folder, which is created again when it is gone.',
        schema: metadataSchema,
      },
    },
    async handler({ caller, params: { id }, body }) {
      const file = await trash.restoreFile(caller, id, body.onConflict);
      return await fullRecord(deps, file);
    },
  });

  endpoint(app, {
    ...ofEntry,
    method: 'delete',
    path: '/api/storage/trash/{id}',
    operation: 'eraseFromTrash',
    summary: 'Erase a deleted file or folder',
    auth: members.manager,
    answers: { 204: { description: 'Erased; it cannot be restored.' } },
    handler: ({ caller, params: { id } }) => trash.erase(caller, id),
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: '/api/storage/trash',
    operation: 'emptyTrash',
    summary: 'Erase all deleted files and folders',
    auth: members.manager,
    query: workspaceQuery,
    answers: { 204: { description: 'Erased; nothing of it can be restored.' } },
    problems: ['not_found'],
    async handler({ caller, query }) {
      await trash.empty(await workspaces.find(database.read, caller, query.workspaceId ?? null));
    },
  });
}

function record(each: TrashEntry, names: Names, trashDays: number): z.infer<typeof entry> {
  const { id, name, path, sizeBytes, fileCount, deletedAt, deletedBy, file } = each;
  const common = {
    id,
    name,
    path: path.join(' / '),
    sizeBytes,
    fileCount,
    dateDeleted: isoTime(deletedAt),
    dateErased: isoTime(deletedAt + trashDays * DAY),
    deletedBy: names.get(deletedBy ?? '') ?? null,
  };
  return file ? { ...listItem(file, names), ...common, kind: 'file' } : { ...common, kind: 'folder' };
}
