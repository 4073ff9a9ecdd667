import { openLocalBlobs } from './local.ts';
import type { Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';

export type BlobLocation =
  | { kind: 'local'; directory: string }
  | { kind: 's3'; bucket: string; endpoint: string | null; region: string | null };

/** Opens the blob store of the settings. @param credentials for S3 */
export function openBlobs(
  location: BlobLocation,
  credentials: { accessKeyId: string; secretAccessKey: string } | null,
): Blobs {
  if (location.kind === 'local') return openLocalBlobs(location.directory);
  return openS3Blobs({
    ...location,
    accessKeyId: credentials?.accessKeyId ?? '',
    secretAccessKey: credentials?.secretAccessKey ?? '',
  });
}
