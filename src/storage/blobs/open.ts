import { openLocalBlobs } from './local.ts';
import type { Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';
import { S3_LIMITS, type S3Limits } from './s3-limits.ts';

export type BlobLocation =
  | { kind: 'local'; directory: string }
  | { kind: 's3'; bucket: string; endpoint: string | null; region: string | null };

/** Opens the blob store of the settings. @param credentials for S3 */
export function openBlobs(
  location: BlobLocation,
  credentials: { accessKeyId: string; secretAccessKey: string } | null,
  s3Limits: S3Limits = S3_LIMITS,
): Blobs {
  if (location.kind === 'local') return openLocalBlobs(location.directory);
  const { accessKeyId = '', secretAccessKey = '' } = credentials ?? {};
  return openS3Blobs({ ...location, accessKeyId, secretAccessKey }, s3Limits);
}
