import { z } from '@hono/zod-openapi';
import type { Reader } from '../../kernel/database/database.ts';
import { json } from '../../kernel/http/bodies/request-body.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import { requiring } from '../tree/member.ts';
import type { RoutesDeps } from './deps.ts';
import { onConflictField, targetFields, workspaceQuery } from './fields.ts';
import { fullRecord } from './full-record.ts';
import { metadataSchema } from './records.ts';

const placeFields = targetFields.extend({ onConflict: onConflictField });
const withoutMetadata = z
  .boolean()
  .optional()
  .openapi({
    description:
      'Copy a picture upright and without metadata such as its location: PNG and WebP keep their format, others ' +
      'become JPEG',
  });
const STRIP_PROBLEMS = [
  'not_a_picture',
  'file_too_large',
  'storage_full',
  'rate_limited',
  'unavailable',
] as const;

const shared = { method: 'post', tags: ['files'], params: { id: guid }, query: workspaceQuery } as const;

/** Moves and copies files into folders of any workspace. */
export function mountFilePlaces(app: App, deps: RoutesDeps): void {
  mountMove(app, deps);
  mountCopy(app, deps);
}

function mountMove(app: App, deps: RoutesDeps): void {
  const { database, members, files, folders } = deps;
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/move',
    operation: 'moveFile',
    auth: members.editor,
    summary: 'Move a file into another folder',
    description: 'The target may be in another workspace. The id, tokens and secrets are kept.',
    body: json(placeFields),
    responses: { 200: { description: 'The changed metadata.', schema: metadataSchema } },
    problems: ['name_taken', 'quota_exceeded'],
    async handler({ caller, params: { id }, query, body, reply }) {
      const file = await database.transaction(async (trx) =>
        files.place(trx, await files.find(trx, caller, id), {
          folder: await folders.find(trx, caller, body.targetFolderId, query.workspaceId),
          onConflict: body.onConflict,
          by: caller.id,
        }),
      );
      return reply(200, await fullRecord(deps, file), NO_STORE);
    },
  });
}

function mountCopy(app: App, deps: RoutesDeps): void {
  const { database, members, files, folders, copyStripped } = deps;
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/copy',
    operation: 'copyFile',
    summary: 'Copy a file into a folder',
    description:
      'Requires the role `editor` in the workspace of the target. The copy is private and has no secrets.',
    auth: members.viewer,
    body: json(placeFields.extend({ withoutMetadata })),
    responses: { 201: { description: 'The metadata of the copy.', schema: metadataSchema } },
    problems: ['role_insufficient', 'name_taken', 'quota_exceeded', ...STRIP_PROBLEMS],
    async handler({ caller, params: { id }, query, body, reply }) {
      const editor = requiring(caller, 'editor');
      const options = { onConflict: body.onConflict, by: caller.id };
      const find = async (reader: Reader) =>
        [
          await files.find(reader, caller, id),
          await folders.find(reader, editor, body.targetFolderId, query.workspaceId),
        ] as const;
      const copy = body.withoutMetadata
        ? await copyStripped(...(await find(database.read)), options)
        : await database.transaction(async (trx) => files.copy(trx, ...(await find(trx)), options));
      const headers = { ...NO_STORE, Location: `/api/storage/files/${copy.id}/metadata` };
      return reply(201, await fullRecord(deps, copy), headers);
    },
  });
}
