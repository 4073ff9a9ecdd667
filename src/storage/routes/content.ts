import { z } from '@hono/zod-openapi';
import { SECOND } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint } from '../../kernel/http/endpoint.ts';
import { guid } from '../../kernel/http/params.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BlobReader } from '../blobs/small.ts';
import type { AwaitThumbnail } from '../delivery/thumbnails/awaiting.ts';
import type { StoredFile } from '../tree/file.ts';
import type { Files } from '../tree/files.ts';
import {
  BYTES_PROBLEMS,
  bytesAnswers,
  DOWNLOAD_ANSWERS,
  inlineParam,
  rangeHeaders,
  type SendOptions,
  sendBytes,
} from './bytes.ts';
import type { Members } from './members.ts';

interface ContentRoutesDeps {
  database: Database;
  members: Members;
  files: Files;
  blobs: BlobReader;
  awaitThumbnail: AwaitThumbnail;
}

const RETRY_MS = SECOND;
const shared = { method: 'get', tags: ['files'], params: { id: guid }, headers: rangeHeaders } as const;
const TO_OWNER = { secretUsed: false, anonymous: false };

/** The bytes and the thumbnail of a file, for its owner. */
export function mountContent(
  app: App,
  { database, members, files, blobs, awaitThumbnail }: ContentRoutesDeps,
): void {
  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/content',
    operation: 'downloadFile',
    summary: 'Download a file',
    auth: members.viewer,
    query: z.object({ inline: inlineParam }),
    answers: DOWNLOAD_ANSWERS,
    problems: BYTES_PROBLEMS,
    async handler({ c, caller, params: { id }, query }) {
      const file = await files.find(database.read, caller, id);
      return await sendBytes(c.req.raw, blobs, file, { ...TO_OWNER, inline: query.inline === '1' });
    },
  });

  endpoint(app, {
    ...shared,
    path: '/api/storage/files/{id}/thumbnail',
    operation: 'getThumbnail',
    summary: 'Get the thumbnail of a picture',
    description:
      'A WebP picture whose longest side has at most 512 pixels. Waits up to a second while it is being rendered.',
    auth: members.viewer,
    query: z.object({
      of: z.string().optional().openapi({ description: 'Any text, to keep copies in caches apart' }),
    }),
    answers: bytesAnswers('image/webp'),
    problems: ['no_thumbnail', ...BYTES_PROBLEMS],
    async handler({ c, caller, params: { id } }) {
      const file = await files.find(database.read, caller, id);
      const thumbnailKey = await awaitThumbnail(file, caller.id);
      return await sendThumbnail(c.req.raw, blobs, { ...file, thumbnailKey }, TO_OWNER);
    },
  });
}

/**
 * Sends the thumbnail of a file. It does not count as a download.
 * @throws Problem 404 `no_thumbnail`
 */
export async function sendThumbnail(
  request: Request,
  blobs: BlobReader,
  file: StoredFile,
  options: Pick<SendOptions, 'secretUsed' | 'anonymous'>,
): Promise<Response> {
  const { thumbnailKey: blobKey, originalName, dateModified } = file;
  const facts = blobKey === null ? null : await blobs.stat(blobKey);
  if (blobKey === null || !facts) {
    const isPending = file.thumbnail === 'pending';
    throw new Problem('no_thumbnail', `This file has no thumbnail${isPending ? ' yet' : ''}.`, {
      retryAfterMs: isPending ? RETRY_MS : undefined,
    });
  }
  const thumbnail = {
    blobKey,
    sizeBytes: facts.size,
    mimeType: 'image/webp',
    originalName: `${originalName}.webp`,
    sha256: null,
    dateModified,
  };
  // Small, and kept in memory: a redirect would cost more.
  return await sendBytes(request, { read: blobs.read }, thumbnail, { ...options, inline: true });
}
