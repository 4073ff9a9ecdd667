import { AwsV4Signer } from 'aws4fetch';
import { type BucketAccess, urlIn } from './s3-client.ts';

/** Returns a URL at which anyone can download the object at `path` for `LINK_SECONDS`. */
export type SignLink = (path: string, headers: Readonly<Record<string, string>>) => Promise<URL>;

/** Time in which a client must follow a redirect and begin to download; a download under way may take longer. */
const LINK_SECONDS = 60;

/** Header fields of the response that a URL can set. */
const ANSWERED = ['Content-Type', 'Content-Disposition', 'Cache-Control'];

/**
 * Signs URLs of objects (https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html).
 * @param publicEndpoint the endpoint that clients reach; null = the endpoint of the bucket
 */
export function createLinkSigner(bucket: BucketAccess, publicEndpoint: string | null): SignLink {
  const { accessKeyId, secretAccessKey } = bucket;
  const keys = { accessKeyId, secretAccessKey, service: 's3', cache: new Map<string, ArrayBuffer>() };
  // Without a setting, the host name of the S3 server contains its region; the name of a proxy does not.
  const { region } = new AwsV4Signer({
    ...keys,
    url: urlIn(bucket, '').href,
    region: bucket.region ?? undefined,
  });
  return async (path, headers) => {
    const url = urlIn({ ...bucket, endpoint: publicEndpoint ?? bucket.endpoint }, path);
    url.searchParams.set('X-Amz-Expires', String(LINK_SECONDS));
    for (const name of ANSWERED) {
      const value = headers[name];
      if (value !== undefined) url.searchParams.set(`response-${name.toLowerCase()}`, value);
    }
    const signed = await new AwsV4Signer({ ...keys, region, url: url.href, signQuery: true }).sign();
    // The signature covers a space as `%20`, and not every server reads `+` as a space.
    signed.url.search = signed.url.search.replaceAll('+', '%20');
    return signed.url;
  };
}
