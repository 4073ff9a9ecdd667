import { openLocalBlobs } from './local.ts';
import type { Blobs } from './port.ts';
import { openS3Blobs } from './s3.ts';
import { S3_LIMITS, type S3Limits } from './s3-limits.ts';
import { createLinkSigner } from './s3-links.ts';

export type BlobLocation =
  | { kind: 'local'; directory: string }
  | {
      kind: 's3';
      bucket: string;
      endpoint: string | null;
      region: string | null;
      publicEndpoint: string | null;
      redirect: boolean;
    };

/** Opens the blob store of the settings. @param credentials for S3 */
export function openBlobs(
  location: BlobLocation,
  credentials: { accessKeyId: string; secretAccessKey: string } | null,
  s3Limits: S3Limits = S3_LIMITS,
): Blobs {
  if (location.kind === 'local') return openLocalBlobs(location.directory);
  const { accessKeyId = '', secretAccessKey = '' } = credentials ?? {};
  const bucket = { ...location, accessKeyId, secretAccessKey };
  const sign = location.redirect ? createLinkSigner(bucket, location.publicEndpoint) : null;
  return openS3Blobs(bucket, s3Limits, sign);
}
