import { expect, test } from 'bun:test';
import { createHash, createHmac } from 'node:crypto';
import { createLinkSigner } from './s3-links.ts';

const BUCKET = {
  bucket: 'files',
  endpoint: 'http://minio:9000',
  region: 'eu-1',
  accessKeyId: 'the-id',
  secretAccessKey: 'the-secret',
};

/** Returns the signature of a URL as an S3 server computes it, from the URL as it is sent. */
function signatureOf(url: URL, region: string): string {
  const sent = (name: string) => new RegExp(`[?&]${name}=([^&]*)`).exec(url.search)?.[1] ?? '';
  const pairs = url.search.slice(1).split('&');
  const signed = pairs.filter((pair) => !pair.startsWith('X-Amz-Signature=')).map(canonical);
  const request = [
    'GET',
    url.pathname,
    signed.sort().join('&'),
    `host:${url.host}\n`,
    'host',
    'UNSIGNED-PAYLOAD',
  ];
  const date = sent('X-Amz-Date');
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(request.join('\n')).digest('hex');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${BUCKET.secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope, hash].join('\n')).toString('hex');
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** A server may read `+` as itself or as a space; read as itself here, it makes the signature differ. */
function canonical(pair: string): string {
  const [name = '', value = ''] = pair.split('=').map(decodeURIComponent);
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${name}=${encodeURIComponent(value).replace(/[!'()*]/g, escaped)}`;
}

test.each([
  [null, 'http://minio:9000'],
  ['https://s3.example.org/', 'https://s3.example.org'],
])('URLs are signed for the endpoint of clients, public=%s', async (publicEndpoint, origin) => {
  const sign = createLinkSigner(BUCKET, publicEndpoint);
  const disposition = `attachment; filename="a+b (1)'!*.html"; filename*=UTF-8''%C3%BC%20%2B.html`;
  const url = await sign('blobs/key', {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Disposition': disposition,
    'Cache-Control': 'no-store',
    ETag: '"not sent"',
  });
  expect(url.origin + url.pathname).toBe(`${origin}/files/blobs/key`);
  const { searchParams } = url;
  expect(Object.fromEntries(searchParams)).toMatchObject({
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'host',
    'response-content-type': 'text/html; charset=utf-8',
    'response-content-disposition': disposition,
    'response-cache-control': 'no-store',
  });
  expect(searchParams.size).toBe(9);
  expect(searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, 'eu-1'));
  expect(url.href).not.toContain(BUCKET.secretAccessKey);
});

test('the region is that of the endpoint of the server', async () => {
  const endpoint = 'https://s3.us-west-004.backblazeb2.com';
  const sign = createLinkSigner({ ...BUCKET, endpoint, region: null }, 'https://s3.example.org');
  const url = await sign('blobs/key', {});
  expect(url.searchParams.get('X-Amz-Credential')).toContain('/us-west-004/s3/');
  expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, 'us-west-004'));
});
