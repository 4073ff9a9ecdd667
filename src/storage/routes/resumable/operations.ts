import { z } from '@hono/zod-openapi';
import type { Auth } from '../../../kernel/http/auth.ts';
import { octets } from '../../../kernel/http/bodies/request-body.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { idempotencyKey } from '../../../kernel/http/delivery-headers.ts';
import { HttpProblem } from '../../../kernel/http/problems/problems.ts';
import type { Uploads } from '../../intake/resumable/uploads.ts';
import { BYTES_TYPE, FILE_ID_HEADER, type HandleTus, type UploadOwner } from './protocol.ts';

const VERSION = '1.0.0';
/** tus 1.0.0, "X-HTTP-Method-Override": applied to a POST only, since a GET must not change anything. */
const OVERRIDES = ['PATCH', 'DELETE'] as const;
const tags = ['resumable uploads'];
const optional = (description: string) => z.string().optional().openapi({ description });
const protocol = z.object({
  'Tus-Resumable': optional(`Required: \`${VERSION}\`; another version is 412.`),
});
const checksum = optional('Algorithm and digest in Base64');

/** Returns the header fields of a request that creates an upload. @param keys of its metadata */
export function creationHeaders(keys: string) {
  return protocol.extend({
    'Upload-Length': optional('Bytes; required'),
    'Upload-Checksum': checksum,
    'Upload-Metadata': optional(`Keys ${keys}; values in Base64`),
    'Idempotency-Key': idempotencyKey,
  });
}

/**
 * Returns the id of the upload that an owner creates with an `Idempotency-Key`: a UUIDv8 (RFC 9562 §5.8). Undefined =
 * no key.
 * @param ownerId id of the member or of the link
 */
export function uploadIdOf(ownerId: string, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  const hex = new Bun.CryptoHasher('sha256').update(`${ownerId} ${key}`).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** Declarations of the operations of tus 1.0.0, the same for uploads of members and of visitors. */
export const OPERATIONS = {
  create: {
    tags,
    method: 'post',
    responses: { 201: { description: 'Created; `Location` is the address for its bytes.' } },
  },
  override: {
    tags,
    method: 'post',
    summary: 'PATCH or DELETE for clients that cannot send these methods',
    headers: protocol.extend({
      'X-HTTP-Method-Override': z
        .string(`must be ${OVERRIDES.join(' or ')}`)
        .toUpperCase()
        .pipe(z.enum(OVERRIDES, `must be ${OVERRIDES.join(' or ')}`))
        .openapi({ type: 'string', enum: [...OVERRIDES] }),
    }),
    responses: { 204: { description: 'The response of the method in the header.' } },
  },
  append: {
    tags,
    method: 'patch',
    headers: protocol.extend({
      'Upload-Offset': optional('Bytes; required'),
      'Upload-Checksum': checksum,
    }),
    body: octets(BYTES_TYPE),
    responses: { 204: { description: `Stored. The response to the last bytes has \`${FILE_ID_HEADER}\`.` } },
  },
  offset: {
    tags,
    method: 'get',
    headers: protocol,
    responses: { 200: { description: 'For HEAD only: `Upload-Offset` and `Upload-Length`.' } },
  },
  cancel: {
    tags,
    method: 'delete',
    headers: protocol,
    responses: { 204: { description: 'Cancelled; the received bytes are deleted.' } },
  },
} as const;

/** Error codes of the operations, in addition to those of finding the upload. */
export const TUS_PROBLEMS = {
  create: [
    'invalid_request',
    'not_found',
    'file_too_large',
    'quota_exceeded',
    'storage_full',
    'checksum_mismatch',
    'limit_reached',
    'idempotency_conflict',
    'upload_locked',
    'unsupported_media_type',
  ],
  override: ['invalid_request', 'unsupported_media_type'],
  append: [
    'invalid_request',
    'upload_offset_wrong',
    'upload_expired',
    'upload_locked',
    'checksum_mismatch',
    'quota_exceeded',
    'storage_full',
  ],
  offset: ['method_not_allowed', 'upload_expired', 'upload_locked'],
  cancel: ['upload_locked'],
} as const;

/** Responds to a request for the offset of an upload. Creates its file if the process died before it could. */
export async function answerOffset(
  c: Ctx,
  { uploads, tus }: { uploads: Uploads; tus: HandleTus },
  owner: UploadOwner,
  uploadId: string,
): Promise<Response> {
  if (c.req.method !== 'HEAD') throw onlyHead();
  const upload = await owner.find(uploadId);
  const isWhole = upload.offset === upload.sizeBytes;
  const fileId = isWhole ? await uploads.finish(upload) : null;
  const response = await tus(c.req.raw, { method: 'HEAD', owner, uploadId });
  if (fileId !== null) response.headers.set(FILE_ID_HEADER, fileId);
  return response;
}

function onlyHead(): HttpProblem {
  const Allow = 'DELETE, HEAD, OPTIONS, PATCH, POST';
  return new HttpProblem('method_not_allowed', `This address supports only ${Allow}.`, {
    headers: { Allow },
  });
}

/** Adds to `auth` the check of the protocol version. */
export function withVersion<Caller>(auth: Auth<Caller>): Auth<Caller> {
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
 * Adds the protocol's version to every response, declares that GET is not supported, and responds to OPTIONS:
 * capabilities are public, and browsers send OPTIONS without credentials.
 * @param collection pattern of the path at which uploads are created
 * @param headers of the responses to OPTIONS
 */
export function mountTusOptions(
  app: App,
  tus: HandleTus,
  collection: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  for (const pattern of [collection, `${collection}/:id`]) {
    app.use(pattern, async (c, next) => {
      await next();
      c.res.headers.set('Tus-Resumable', VERSION);
    });
    app.options(pattern, async (c) => {
      const response = await tus(c.req.raw, { method: 'OPTIONS', owner: null, uploadId: null });
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    });
  }
  app.on('HEAD', `${collection}/:id`, (c) => c.notFound());
}
