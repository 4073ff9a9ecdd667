import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { reportUnknown } from '../../../kernel/http/fields.ts';
import { guid } from '../../../kernel/http/params.ts';
import { UPLOAD_MS } from '../../intake/resumable/upload-rows.ts';
import type { Member } from '../../tree/member.ts';
import type { RoutesDeps } from '../deps.ts';
import { workspaceQuery } from '../fields.ts';
import { readMetadata, withoutPassword } from './metadata.ts';
import {
  answerOffset,
  creationHeaders,
  mountTusOptions,
  OPERATIONS,
  TUS_PROBLEMS,
  uploadIdOf,
  withVersion,
} from './operations.ts';
import { UPLOADS_PATH, type UploadOwner } from './protocol.ts';

const path = `${UPLOADS_PATH}/{id}` as const;
const KEYS =
  '`filename`, `folderId`, `visibility`, `filePassword`, `accessKey`, `onConflict`, `replaceFileId`, `filetype`';

/** Resumable uploads: tus 1.0.0 with creation, creation-with-upload, termination, expiration and checksum. */
export function mountUploads(app: App, deps: RoutesDeps): void {
  const { members, tus } = deps;
  const shared = { auth: withVersion(members.editor) } as const;
  const ofUpload = { ...shared, path, params: { id: guid } } as const;
  mountTusOptions(app, tus, UPLOADS_PATH);

  endpoint(app, {
    ...OPERATIONS.create,
    ...shared,
    path: UPLOADS_PATH,
    operation: 'createUpload',
    summary: 'Create a resumable upload (tus 1.0.0)',
    query: workspaceQuery,
    headers: creationHeaders(KEYS),
    problems: [...TUS_PROBLEMS.create, 'name_taken'],
    handler: ({ c, caller, query: { workspaceId }, headers: { 'Idempotency-Key': key } }) =>
      tus(c.req.raw, {
        method: 'POST',
        owner: ownerOf(deps, c, caller, workspaceId),
        uploadId: null,
        newId: uploadIdOf(caller.id, key),
      }),
  });

  endpoint(app, {
    ...OPERATIONS.override,
    ...ofUpload,
    operation: 'overrideUploadMethod',
    problems: TUS_PROBLEMS.override,
    handler: ({ c, caller, params: { id: uploadId }, headers }) =>
      tus(c.req.raw, {
        method: headers['X-HTTP-Method-Override'],
        owner: ownerOf(deps, c, caller),
        uploadId,
      }),
  });

  endpoint(app, {
    ...OPERATIONS.append,
    ...ofUpload,
    operation: 'appendToUpload',
    summary: 'Send the next bytes of an upload',
    problems: [...TUS_PROBLEMS.append, 'name_taken'],
    handler: ({ c, caller, params: { id: uploadId } }) =>
      tus(c.req.raw, { method: 'PATCH', owner: ownerOf(deps, c, caller), uploadId }),
  });

  endpoint(app, {
    ...OPERATIONS.offset,
    ...ofUpload,
    operation: 'getUploadOffset',
    summary: 'Get the offset of an upload (HEAD)',
    problems: TUS_PROBLEMS.offset,
    handler: ({ c, caller, params: { id } }) => answerOffset(c, deps, ownerOf(deps, c, caller), id),
  });

  endpoint(app, {
    ...OPERATIONS.cancel,
    ...ofUpload,
    operation: 'cancelUpload',
    summary: 'Cancel an upload',
    problems: TUS_PROBLEMS.cancel,
    handler: ({ c, caller, params: { id: uploadId } }) =>
      tus(c.req.raw, { method: 'DELETE', owner: ownerOf(deps, c, caller), uploadId }),
  });
}

/** @param rootOf the workspace of the folder `root`; undefined = the member's own */
function ownerOf(
  { uploads, passwords, members, recheckUpload }: RoutesDeps,
  c: Ctx,
  member: Member,
  rootOf?: string,
): UploadOwner {
  return {
    pathOf: (id) => `${UPLOADS_PATH}/${id}`,
    unstartedMs: UPLOAD_MS,
    find: (id) => uploads.find(member, id),
    recheck: recheckUpload(c, members.editor),
    async begin({ metadata, ...first }) {
      const { filePassword, unknown, ...wanted } = readMetadata(metadata);
      reportUnknown(c, unknown);
      const upload = {
        ...wanted,
        ...first,
        fileName: wanted.fileName ?? (await uploads.nameOf(member, wanted.replaceFileId ?? '')),
        passwordHash: filePassword === null ? null : await passwords.hash(filePassword, member.id),
        metadata: withoutPassword(metadata),
      };
      await uploads.begin(member, upload, rootOf);
    },
  };
}
