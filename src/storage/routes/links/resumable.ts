import { anyone } from '../../../kernel/http/auth.ts';
import type { App, Ctx } from '../../../kernel/http/context.ts';
import { endpoint } from '../../../kernel/http/endpoint.ts';
import { reportUnknown } from '../../../kernel/http/fields.ts';
import { opaque } from '../../../kernel/http/params.ts';
import { UNSTARTED_MS } from '../../intake/resumable/upload-rows.ts';
import type { StoredLink } from '../../links/link.ts';
import { anyOrigin } from '../any-origin.ts';
import { readSentMetadata } from '../resumable/metadata.ts';
import {
  answerOffset,
  creationHeaders,
  mountTusOptions,
  OPERATIONS,
  TUS_PROBLEMS,
  uploadIdOf,
  withVersion,
} from '../resumable/operations.ts';
import { TUS_REQUEST_HEADERS, TUS_RESPONSE_HEADERS, type UploadOwner } from '../resumable/protocol.ts';
import { linkSecretParams } from '../secrets.ts';
import { SENDING_PROBLEMS } from './admission.ts';
import type { LinkRoutesDeps } from './deps.ts';
import { createLinkPass } from './link-pass.ts';

const collection = '/public/folder/{token}/uploads';
/** Codes of `reach`. */
const REACH_PROBLEMS = ['not_found', 'link_expired'] as const;
const PREFLIGHT = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, PATCH, HEAD, DELETE',
  'Access-Control-Allow-Headers': ['Content-Type', 'X-File-Password', ...TUS_REQUEST_HEADERS].join(', '),
  'Access-Control-Max-Age': '86400',
};

/**
 * Resumable uploads of visitors through a link: tus 1.0.0. Beginning one requires the secrets of the link; continuing
 * it requires only its address, which is sent to this visitor only.
 */
export function mountSentUploads(app: App, deps: LinkRoutesDeps): void {
  const { admit, tus } = deps;
  // A page that sends many files needs a pass for longer than the lifetime of one.
  const renewPass = createLinkPass(deps);
  const shared = {
    auth: withVersion(anyone),
    everyResponse: anyOrigin('Location', ...TUS_RESPONSE_HEADERS),
  } as const;
  const ofUpload = {
    ...shared,
    path: `${collection}/{key}`,
    params: { token: opaque, key: opaque },
  } as const;
  mountTusOptions(app, tus, '/public/folder/:token/uploads', PREFLIGHT);

  endpoint(app, {
    ...OPERATIONS.create,
    ...shared,
    path: collection,
    operation: 'createSentUpload',
    summary: 'Create a resumable upload through a link (tus 1.0.0)',
    params: { token: opaque },
    query: linkSecretParams,
    headers: creationHeaders('`filename`, `filetype`, `uploaderName`'),
    problems: [...SENDING_PROBLEMS, ...TUS_PROBLEMS.create],
    async handler({ c, params: { token }, query, headers: { 'Idempotency-Key': key } }) {
      const link = await admit(c, token, query);
      const owner = ownerOf(deps, c, link);
      const newId = uploadIdOf(link.id, key);
      return renewPass(await tus(c.req.raw, { method: 'POST', owner, uploadId: null, newId }), link);
    },
  });

  endpoint(app, {
    ...OPERATIONS.override,
    ...ofUpload,
    operation: 'overrideSentUploadMethod',
    problems: [...REACH_PROBLEMS, ...TUS_PROBLEMS.override],
    async handler({ c, params, headers }) {
      const reached = await reach(deps, c, params);
      return await tus(c.req.raw, { method: headers['X-HTTP-Method-Override'], ...reached });
    },
  });

  endpoint(app, {
    ...OPERATIONS.append,
    ...ofUpload,
    operation: 'appendToSentUpload',
    summary: 'Send the next bytes of an upload through a link',
    problems: [...REACH_PROBLEMS, ...TUS_PROBLEMS.append, 'upload_limit_reached'],
    async handler({ c, params }) {
      const { link, ...reached } = await reach(deps, c, params);
      return renewPass(await tus(c.req.raw, { method: 'PATCH', ...reached }), link);
    },
  });

  endpoint(app, {
    ...OPERATIONS.offset,
    ...ofUpload,
    operation: 'getSentUploadOffset',
    summary: 'Get the offset of an upload through a link (HEAD)',
    problems: [...REACH_PROBLEMS, ...TUS_PROBLEMS.offset],
    async handler({ c, params }) {
      const { owner, uploadId } = await reach(deps, c, params);
      return await answerOffset(c, deps, owner, uploadId);
    },
  });

  endpoint(app, {
    ...OPERATIONS.cancel,
    ...ofUpload,
    operation: 'cancelSentUpload',
    summary: 'Cancel an upload through a link',
    problems: [...REACH_PROBLEMS, ...TUS_PROBLEMS.cancel],
    handler: async ({ c, params }) =>
      await tus(c.req.raw, { method: 'DELETE', ...(await reach(deps, c, params)) }),
  });
}

/** Returns the upload that an address of a link names. @throws Problem 404, 410 `link_expired` */
async function reach(deps: LinkRoutesDeps, c: Ctx, { token, key }: { token: string; key: string }) {
  const link = await deps.linkAccess.find(token);
  return { link, owner: ownerOf(deps, c, link), uploadId: deps.uploadKeys.idOf(link, key) };
}

function ownerOf(
  { uploads, uploadKeys, linkUploads }: LinkRoutesDeps,
  c: Ctx,
  link: StoredLink,
): UploadOwner {
  return {
    pathOf: (id) => `/public/folder/${link.token}/uploads/${uploadKeys.keyOf(link, id)}`,
    unstartedMs: UNSTARTED_MS,
    find: (id) => uploads.findSent(link.id, id),
    // Checked when the file is committed.
    async recheck() {},
    async begin(first) {
      const { unknown, ...wanted } = readSentMetadata(first.metadata);
      reportUnknown(c, unknown);
      await uploads.beginSent(await linkUploads.place(link), { ...wanted, ...first });
    },
  };
}
