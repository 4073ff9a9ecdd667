import { openLocalBlobs } from './local.ts';
import type { Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';

export type BlobPlace =
  | { kind: 'local'; directory: string }
  | { kind: 's3'; bucket: string; endpoint: string | null; region: string | null };

/** Opens the blob store that the settings name. @param credentials of S3 */
export function openBlobs(place: BlobPlace, credentials: { accessKeyId: string; secretAccessKey: string } | null): Blobs {
  if (place.kind === 'local') return openLocalBlobs(place.directory);
  return openS3Blobs({ ...place, accessKeyId: credentials?.accessKeyId ?? '', secretAccessKey: credentials?.secretAccessKey ?? '' });
}
