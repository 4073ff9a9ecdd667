import type { Config } from '../../config/config.ts';

/** Answers with the bytes of files. From a local directory they are sent by sendfile, from S3 as a stream. */
const BYTES = [
  '/api/storage/files/:id/content',
  '/api/storage/files/:id/thumbnail',
  '/api/storage/files/:id/preview',
  '/api/storage/public/media/:token',
  '/api/storage/public/private/:id',
  '/public/media/:token',
  '/public/folder/:token/file/:id',
  '/public/folder/:token/thumbnail/:id',
  '/public/folder/:token/preview/:id',
];

const EXPORTS = [
  '/api/storage/export/:id',
  '/public/folder/:token/export',
  '/public/folder/:token/export/:id',
];

/** Requests with large bodies. */
const UPLOADS = [
  '/api/storage/files/:id',
  '/api/storage/files/:id/replace',
  '/api/storage/uploads',
  '/api/storage/uploads/:id',
  '/public/folder/:token/files',
  '/public/folder/:token/uploads',
  '/public/folder/:token/uploads/:key',
];

/** Patterns of the paths whose answers are streams of a known length, or whose requests have large bodies. */
export function streamedPaths(blobs: Pick<Config['blobs'], 'kind'>): string[] {
  return [...EXPORTS, ...UPLOADS, ...(blobs.kind === 's3' ? BYTES : [])];
}
