import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { App, Ctx } from '../../kernel/http/context.ts';
import { type EndpointDoc, endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { invalidField, notFound, Problem } from '../../kernel/http/problem.ts';
import { FILE_ID_HEADER, type TusRequest, UPLOADS_PATH } from '../uploads/tus.ts';
import type { Uploads } from '../uploads/uploads.ts';

interface UploadsRoutesParts {
  guard: Guard;
  uploads: Uploads;
  /** Answers one request of the protocol. */
  tus(request: Request, wish: TusRequest): Promise<Response>;
}

const VERSION = '1.0.0';
/** tus 1.0.0, "X-HTTP-Method-Override", taken from a POST alone: a GET must change nothing, whatever it says. */
const OVERRIDES = ['PATCH', 'DELETE'] as const;
const CHUNK_TYPE = 'application/offset+octet-stream';
const chunk = { [CHUNK_TYPE]: z.string().openapi({ format: 'binary' }) };
const protocol = { 'Tus-Resumable': z.literal(VERSION) };
const doc: Pick<EndpointDoc, 'tags' | 'security'> = { tags: ['resumable uploads'], security: ['session', 'bearer'] };
const one = `${UPLOADS_PATH}/{id}`;

/** Resumable uploads: tus 1.0.0 with creation, creation-with-upload, termination, expiration and checksum. */
export function mountUploads(app: App, { guard, uploads, tus }: UploadsRoutesParts): void {
  endpoint(
    app,
    'post',
    UPLOADS_PATH,
    {
      ...doc,
      summary: 'Begin a resumable upload (tus 1.0.0)',
      headers: z.object({
        ...protocol,
        'Upload-Length': z.string(),
        'Upload-Checksum': z.string().optional(),
        'Upload-Metadata': z.string().openapi({ description: '`filename`, `folderId`, `visibility`, `replaceFileId`, `filetype`' }),
      }),
      answers: { 201: { description: '`Location` is where its bytes go.', schema: null } },
      problems: [
        'login_required',
        'invalid_request',
        'not_found',
        'precondition_failed',
        'file_too_large',
        'quota_exceeded',
        'checksum_mismatch',
      ],
    },
    (c) => answer(c, 'POST'),
  );

  endpoint(
    app,
    'post',
    one,
    {
      ...doc,
      summary: 'PATCH or DELETE, for clients that cannot send these',
      headers: z.object({ ...protocol, 'X-HTTP-Method-Override': z.enum(OVERRIDES) }),
      answers: { 204: { description: 'As to the method that the header names.', schema: null } },
      problems: ['login_required', 'invalid_request', 'not_found', 'precondition_failed'],
    },
    (c) => answer(c, OVERRIDES.find((method) => method === c.req.header('X-HTTP-Method-Override')?.toUpperCase()) ?? 'POST'),
  );

  endpoint(
    app,
    'patch',
    one,
    {
      ...doc,
      summary: 'Send the next bytes',
      headers: z.object({ ...protocol, 'Upload-Offset': z.string(), 'Upload-Checksum': z.string().optional() }),
      body: chunk,
      answers: { 204: { description: `They are kept. The last ones answer with \`${FILE_ID_HEADER}\`.`, schema: null } },
      problems: [
        'login_required',
        'invalid_request',
        'not_found',
        'upload_offset_wrong',
        'upload_expired',
        'precondition_failed',
        'unsupported_media_type',
        'upload_locked',
        'checksum_mismatch',
        'quota_exceeded',
      ],
    },
    (c) => answer(c, 'PATCH'),
  );

  endpoint(
    app,
    'get',
    one,
    {
      ...doc,
      summary: 'Where an upload goes on (HEAD)',
      headers: z.object(protocol),
      answers: { 200: { description: 'To HEAD alone: `Upload-Offset`, `Upload-Length`.', schema: null } },
      problems: ['login_required', 'not_found', 'upload_expired', 'precondition_failed', 'upload_locked'],
    },
    async (c) => {
      if (c.req.method !== 'HEAD') throw notFound();
      return await answer(c, 'HEAD');
    },
  );

  endpoint(
    app,
    'delete',
    one,
    {
      ...doc,
      summary: 'Give an upload up',
      headers: z.object(protocol),
      answers: { 204: { description: 'What had come is gone.', schema: null } },
      problems: ['login_required', 'not_found', 'precondition_failed', 'upload_locked'],
    },
    (c) => answer(c, 'DELETE'),
  );

  // What the server can do is no secret, and browsers ask without credentials.
  const options = (c: Ctx) => tus(c.req.raw, { method: 'OPTIONS', accountId: '', uploadId: null });
  for (const path of [UPLOADS_PATH, `${UPLOADS_PATH}/:id`]) app.options(path, options);

  async function answer(c: Ctx, method: string): Promise<Response> {
    try {
      const { accountId } = await guard.requireAccount(c);
      if (c.req.header('Tus-Resumable') !== VERSION) {
        throw new Problem('precondition_failed', `Tus-Resumable must be ${VERSION}.`, { headers: { 'Tus-Version': VERSION } });
      }
      const uploadId = c.req.param('id') === undefined ? null : pathId(c, 'id');
      if (method === 'POST' && uploadId !== null) throw invalidField('X-HTTP-Method-Override', `must be ${OVERRIDES.join(' or ')}`);
      const type = c.req.header('Content-Type');
      if (method === 'PATCH' && type !== undefined && type !== CHUNK_TYPE) {
        throw new Problem('unsupported_media_type', `The body must be ${CHUNK_TYPE}.`);
      }
      const fileId = method === 'HEAD' && uploadId !== null ? await finished(accountId, uploadId) : null;
      const response = await tus(c.req.raw, { method, accountId, uploadId });
      if (fileId !== null) response.headers.set(FILE_ID_HEADER, fileId);
      return response;
    } catch (error) {
      throw error instanceof Problem ? inProtocol(error) : error;
    }
  }

  /** The file that a whole upload became. One that became none yet, because the process died just then, becomes it now. */
  async function finished(accountId: string, id: string): Promise<string | null> {
    const upload = await uploads.find(accountId, id);
    if (upload.fileId !== null || upload.offset < upload.sizeBytes) return upload.fileId;
    return await uploads.finish(upload);
  }
}

/** Every answer says which version it speaks. */
function inProtocol({ code, detail, errors, headers, cause }: Problem): Problem {
  return new Problem(code, detail, { errors, cause, headers: { ...headers, 'Tus-Resumable': VERSION } });
}
