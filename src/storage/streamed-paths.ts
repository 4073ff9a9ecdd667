import type { Config } from '../config/config.ts';

/** What gives a file's bytes. From a local directory they go by sendfile, from S3 as a stream. */
const BYTES = [
  '/api/storage/files/:id/content',
  '/api/storage/files/:id/thumbnail',
  '/api/storage/public/media/:token',
  '/api/storage/public/private/:id',
  '/public/media/:token',
];

/** To what files are uploaded. */
const UPLOADS = ['/api/storage/files/:id', '/api/storage/files/:id/replace', '/api/storage/uploads', '/api/storage/uploads/:id'];

/** Patterns of the paths whose answers are streams of a known length, or whose requests are large. */
export function streamedPaths(blobs: Config['blobs']): string[] {
  return ['/api/storage/export/:id', ...UPLOADS, ...(blobs.kind === 's3' ? BYTES : [])];
}
