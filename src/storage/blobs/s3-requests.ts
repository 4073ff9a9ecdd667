import { requireNoSuchKey, type S3Client, type S3Request, s3UnavailableFrom } from './s3-client.ts';

export const HEADERS = { 'Content-Type': 'application/octet-stream' };

/** Uploads an object or a part, and returns its entity tag. */
export async function put(send: S3Client, request: Omit<S3Request, 'method'>): Promise<string> {
  const response = await send({ ...request, method: 'PUT' });
  const tag = response.headers.get('ETag');
  // A proxy can respond with status 200 and another page, such as a sign-in page.
  if (response.status !== 200 || tag === null) throw await s3UnavailableFrom(response, 'PUT');
  await response.body?.cancel();
  return tag;
}

export async function deleteObject(send: S3Client, path: string): Promise<void> {
  const response = await send({ method: 'DELETE', path });
  if (response.status === 404) return await requireNoSuchKey(response, 'DELETE');
  if (response.status >= 300) throw await s3UnavailableFrom(response, 'DELETE');
  await response.body?.cancel();
}
