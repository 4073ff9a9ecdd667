import { z } from '@hono/zod-openapi';
import type { Auth } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { guid } from '../../../kernel/http/params.ts';
import { HttpProblem } from '../../../kernel/http/problems.ts';
import { octets } from '../../../kernel/http/request-body.ts';
import { notFound } from '../../../kernel/problem.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import type { Member } from '../../tree/member.ts';
import { workspaceQuery } from '../fields.ts';
import type { Members } from '../members.ts';
import { type AnswerTus, FILE_ID_HEADER, UPLOADS_PATH } from './protocol.ts';

interface UploadsRoutesDeps {
  members: Members;
  uploads: Uploads;
  tus: AnswerTus;
}

const VERSION = '1.0.0';
/** tus 1.0.0, "X-HTTP-Method-Override": honoured in a POST only, since a GET must change nothing. */
const OVERRIDES = ['PATCH', 'DELETE'] as const;
const tags = ['resumable uploads'];
const path = `${UPLOADS_PATH}/{id}` as const;
const optional = (description: string) => z.string().optional().openapi({ description });
const protocol = z.object({
  'Tus-Resumable': optional(`Required: \`${VERSION}\`; another version is 412.`),
});
const checksum = optional('Algorithm and digest in Base64');

/** Resumable uploads: tus 1.0.0 with creation, creation-with-upload, termination, expiration and checksum. */
export function mountUploads(app: App, { members, uploads, tus }: UploadsRoutesDeps): void {
  const shared = { tags, auth: withVersion(members.editor) } as const;
  const ofUpload = { ...shared, path, params: { id: guid } } as const;
  const forward = (c: Ctx, method: string, member: Member, uploadId: string) =>
    tus(c.req.raw, { method, member, uploadId });
  speakTus(app, tus);

  endpoint(app, {
    ...shared,
    method: 'post',
    path: UPLOADS_PATH,
    operation: 'createUpload',
    summary: 'Create a resumable upload (tus 1.0.0)',
    query: workspaceQuery,
    headers: protocol.extend({
      'Upload-Length': optional('Bytes; required'),
      'Upload-Checksum': checksum,
      'Upload-Metadata': optional(
        'Keys `filename`, `folderId`, `visibility`, `filePassword`, `accessKey`, `onConflict`, `replaceFileId`, ' +
          '`filetype`; values in Base64',
      ),
    }),
    answers: { 201: { description: 'Created; `Location` is the address for its bytes.' } },
    problems: [
      'invalid_request',
      'not_found',
      'file_too_large',
      'quota_exceeded',
      'storage_full',
      'checksum_mismatch',
      'name_taken',
      'limit_reached',
    ],
    handler: ({ c, caller, query: { workspaceId: rootOf } }) =>
      tus(c.req.raw, { method: 'POST', member: caller, uploadId: null, rootOf }),
  });

  endpoint(app, {
    ...ofUpload,
    method: 'post',
    operation: 'overrideUploadMethod',
    summary: 'PATCH or DELETE for clients that cannot send these methods',
    headers: protocol.extend({
      'X-HTTP-Method-Override': z
        .string(`must be ${OVERRIDES.join(' or ')}`)
        .toUpperCase()
        .pipe(z.enum(OVERRIDES, `must be ${OVERRIDES.join(' or ')}`))
        .openapi({ type: 'string', enum: [...OVERRIDES] }),
    }),
    answers: { 204: { description: 'As for the method in the header.' } },
    problems: ['invalid_request'],
    handler: ({ c, caller, params: { id }, headers }) =>
      forward(c, headers['X-HTTP-Method-Override'], caller, id),
  });

  endpoint(app, {
    ...ofUpload,
    method: 'patch',
    operation: 'appendToUpload',
    summary: 'Send the next bytes of an upload',
    headers: protocol.extend({
      'Upload-Offset': optional('Bytes; required'),
      'Upload-Checksum': checksum,
    }),
    body: octets('application/offset+octet-stream'),
    answers: { 204: { description: `Stored. The last bytes are answered with \`${FILE_ID_HEADER}\`.` } },
    problems: [
      'invalid_request',
      'upload_offset_wrong',
      'upload_expired',
      'upload_locked',
      'checksum_mismatch',
      'name_taken',
      'quota_exceeded',
      'storage_full',
    ],
    handler: ({ c, caller, params: { id } }) => forward(c, 'PATCH', caller, id),
  });

  endpoint(app, {
    ...ofUpload,
    method: 'get',
    operation: 'getUploadOffset',
    summary: 'Get the offset of an upload (HEAD)',
    headers: protocol,
    answers: { 200: { description: 'For HEAD only: `Upload-Offset` and `Upload-Length`.' } },
    problems: ['upload_expired', 'upload_locked'],
    async handler({ c, caller, params: { id } }) {
      if (c.req.method !== 'HEAD') throw notFound();
      const fileId = await finished(caller, id);
      const response = await forward(c, 'HEAD', caller, id);
      if (fileId !== null) response.headers.set(FILE_ID_HEADER, fileId);
      return response;
    },
  });

  endpoint(app, {
    ...ofUpload,
    method: 'delete',
    operation: 'cancelUpload',
    summary: 'Cancel an upload',
    headers: protocol,
    answers: { 204: { description: 'Cancelled; the received bytes are deleted.' } },
    problems: ['upload_locked'],
    handler: ({ c, caller, params: { id } }) => forward(c, 'DELETE', caller, id),
  });

  /** Returns the id of the file of a complete upload. Creates the file if the process died before it could. */
  async function finished(member: Member, id: string): Promise<string | null> {
    const upload = await uploads.find(member, id);
    if (upload.fileId !== null || upload.offset < upload.sizeBytes) return upload.fileId;
    return await uploads.finish(upload);
  }
}

/** Adds to `auth` the check of the protocol version. */
function withVersion<Caller>(auth: Auth<Caller>): Auth<Caller> {
  return {
    ...auth,
    problems: (method) => [...auth.problems(method), 'precondition_failed'],
    async authenticate(c, body) {
      const caller = await auth.authenticate(c, body);
      if (c.req.header('Tus-Resumable') === VERSION) return caller;
      throw new HttpProblem('precondition_failed', `Tus-Resumable must be ${VERSION}.`, {
        headers: { 'Tus-Version': VERSION },
      });
    },
  };
}

/**
 * Adds the protocol's version to every answer, and answers OPTIONS: capabilities are public, and browsers send
 * OPTIONS without credentials.
 */
function speakTus(app: App, tus: UploadsRoutesDeps['tus']): void {
  for (const pattern of [UPLOADS_PATH, `${UPLOADS_PATH}/:id`]) {
    app.use(pattern, async (c, next) => {
      await next();
      c.res.headers.set('Tus-Resumable', VERSION);
    });
    app.options(pattern, (c) => tus(c.req.raw, { method: 'OPTIONS', member: null, uploadId: null }));
  }
}
