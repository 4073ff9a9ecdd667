import type { Config } from '../config/config.ts';

/** What gives a file's bytes. From a local directory they go by sendfile, from S3 as a stream. */
const BYTES = [
  '/api/storage/files/:id/content',
  '/api/storage/files/:id/thumbnail',
  '/api/storage/public/media/:token',
  '/api/storage/public/private/:id',
  '/public/media/:token',
];

/** Patterns of the paths whose answers are streams of a known length. */
export function streamedPaths(blobs: Config['blobs']): string[] {
  return ['/api/storage/export/:id', ...(blobs.kind === 's3' ? BYTES : [])];
}
