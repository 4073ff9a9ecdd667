import { z } from '@hono/zod-openapi';
import type { Guard } from '../../identity/guard.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { App } from '../../kernel/http/context.ts';
import { endpoint, pathId } from '../../kernel/http/endpoint.ts';
import { Problem } from '../../kernel/http/problem.ts';
import type { BlobReader } from '../blobs/small.ts';
import { type SendingWishes, sendBytes } from '../bytes.ts';
import type { StoredFile } from '../file.ts';
import type { Files } from '../files.ts';

interface ThumbnailRouteParts {
  database: Database;
  guard: Guard;
  files: Files;
  blobs: BlobReader;
}

/** A picture's thumbnail, for its owner. */
export function mountThumbnail(app: App, { database, guard, files, blobs }: ThumbnailRouteParts): void {
  endpoint(
    app,
    'get',
    '/api/storage/files/{id}/thumbnail',
    {
      summary: 'The thumbnail of a picture',
      tags: ['files'],
      security: ['session', 'bearer'],
      answers: {
        200: { description: 'WebP, its longest side 512 pixels at most.', schema: z.string(), mediaType: 'image/webp' },
        304: { description: 'The client has it.', schema: null },
      },
      problems: ['login_required', 'not_found', 'no_thumbnail'],
    },
    async (c) => {
      const { accountId } = await guard.requireAccount(c);
      const file = await files.find(database.read, accountId, pathId(c, 'id'));
      return await sendThumbnail(c.req.raw, blobs, file, { secretUsed: false, anonymous: false });
    },
  );
}

/**
 * Answers with the thumbnail of a file that the visitor may have. It counts as no download.
 * @throws Problem 404 `no_thumbnail`
 */
export async function sendThumbnail(
  request: Request,
  blobs: BlobReader,
  file: StoredFile,
  wishes: Pick<SendingWishes, 'secretUsed' | 'anonymous'>,
): Promise<Response> {
  const key = file.thumbnailKey;
  const facts = key === null ? null : await blobs.stat(key);
  if (key === null || !facts) throw new Problem('no_thumbnail', 'This file has no thumbnail, or none yet.');
  const thumbnail = {
    blobKey: key,
    sizeBytes: facts.size,
    mimeType: 'image/webp',
    fileName: `${file.originalName}.webp`,
    sha256: null,
    etag: `"${key}"`,
    lastModified: file.dateModified,
  };
  return await sendBytes(request, blobs, thumbnail, { ...wishes, inline: true });
}
