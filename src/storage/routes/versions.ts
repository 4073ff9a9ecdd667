import { z } from '@hono/zod-openapi';
import { hexOf } from '../../kernel/bytes.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Reader } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { addNextLink } from '../../kernel/http/next-link.ts';
import { NO_STORE } from '../../kernel/http/no-store.ts';
import { guid } from '../../kernel/http/params.ts';
import { type FileVersion, findVersion, listVersions } from '../tree/files/versions.ts';
import { findRowLocked } from '../tree/lock.ts';
import { BYTES_PROBLEMS, DOWNLOAD_RESPONSES, inlineParam, rangeHeaders, sendBytes } from './bytes.ts';
import type { RoutesDeps } from './deps.ts';
import { timePageQuery } from './fields.ts';
import { fullRecord } from './full-record.ts';
import { metadataSchema, type Names } from './records.ts';

const versionSchema = z
  .object({
    id: z.uuid(),
    sizeBytes: z.int(),
    mimeType: z.string(),
    sha256: z.string(),
    dateCreated: z.iso
      .datetime()
      .openapi({ description: 'Time at which these bytes became the content of the file' }),
    dateReplaced: z.iso.datetime(),
    replacedBy: z
      .string()
      .nullable()
      .openapi({ description: 'Name of the member who replaced this version; shared workspaces only' }),
  })
  .openapi('FileVersion');

const shared = { tags: ['versions'], params: { id: guid, versionId: guid } } as const;

/** Former bytes of files: list, download, restore, erase. */
export function mountVersions(app: App, deps: RoutesDeps): void {
  mountReads(app, deps);
  mountChanges(app, deps);
}

function mountReads(app: App, { database, members, files, blobs, namesOf }: RoutesDeps): void {
  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/files/{id}/versions',
    operation: 'listVersions',
    summary: 'List the versions of a file, most recently replaced first',
    auth: members.viewer,
    params: { id: guid },
    query: z.object(timePageQuery),
    responses: {
      200: {
        description: 'A page, without the current bytes. `Link` as for files.',
        schema: z.array(versionSchema),
      },
    },
    async handler({ c, caller, params: { id }, query }) {
      const file = await files.find(database.read, caller, id);
      const { versions, nextCursor } = await listVersions(database.read, file, query);
      addNextLink(c, nextCursor);
      const names = await namesOf(
        versions.map(({ workspaceId, replacedBy }) => ({ workspaceId, createdBy: replacedBy })),
      );
      return versions.map((version) => record(version, names));
    },
  });

  endpoint(app, {
    ...shared,
    method: 'get',
    path: '/api/storage/files/{id}/versions/{versionId}/content',
    operation: 'downloadVersion',
    summary: 'Download a version of a file',
    auth: members.viewer,
    headers: rangeHeaders,
    query: z.object({ inline: inlineParam }),
    responses: DOWNLOAD_RESPONSES,
    problems: BYTES_PROBLEMS,
    async handler({ c, caller, params: { id, versionId }, query }) {
      const file = await files.find(database.read, caller, id);
      const version = await findVersion(database.read, file, versionId);
      const bytes = { ...version, originalName: file.originalName, dateModified: version.dateCreated };
      const inline = query.inline === '1';
      return await sendBytes(c.req.raw, blobs, bytes, { inline, secretUsed: false, anonymous: false });
    },
  });
}

function mountChanges(app: App, deps: RoutesDeps): void {
  const { database, members, files, stored } = deps;
  endpoint(app, {
    ...shared,
    method: 'post',
    path: '/api/storage/files/{id}/versions/{versionId}/restore',
    operation: 'restoreVersion',
    summary: 'Restore a version of a file',
    description: 'The replaced bytes become a version.',
    auth: members.editor,
    responses: { 200: { description: 'The metadata.', schema: metadataSchema } },
    problems: ['quota_exceeded'],
    async handler({ caller, params: { id, versionId }, reply }) {
      const file = await database.transaction(async (trx) =>
        files.restoreVersion(trx, await files.find(trx, caller, id), versionId, caller.id),
      );
      stored(file);
      return reply(200, await fullRecord(deps, file), NO_STORE);
    },
  });

  endpoint(app, {
    ...shared,
    method: 'delete',
    path: '/api/storage/files/{id}/versions/{versionId}',
    operation: 'eraseVersion',
    summary: 'Erase a version of a file',
    auth: members.manager,
    responses: { 204: { description: 'Erased; it cannot be restored.' } },
    async handler({ caller, params: { id, versionId } }) {
      const find = (reader: Reader) => files.find(reader, caller, id);
      await database.transaction(async (trx) =>
        files.eraseVersion(trx, await findRowLocked(database, trx, find), versionId),
      );
    },
  });
}

function record(version: FileVersion, names: Names): z.infer<typeof versionSchema> {
  return {
    id: version.id,
    sizeBytes: version.sizeBytes,
    mimeType: version.mimeType,
    sha256: hexOf(version.sha256),
    dateCreated: isoTime(version.dateCreated),
    dateReplaced: isoTime(version.dateReplaced),
    replacedBy: names.get(version.replacedBy ?? '') ?? null,
  };
}
