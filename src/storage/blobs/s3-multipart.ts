import { Unavailable } from '../../kernel/errors/unavailable.ts';
import { type S3Client, s3Unavailable, s3UnavailableFrom } from './s3-client.ts';
import { HEADERS, put } from './s3-requests.ts';
import { textOf } from './s3-xml.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
export function createMultipart(send: S3Client, path: string) {
  /** Entity tags of the parts that are sent, by index. */
  const tags: string[] = [];
  let begun = 0;
  let uploadId: Promise<string> | undefined;

  async function begin(): Promise<string> {
    const response = await send({ method: 'POST', path, query: { uploads: '' }, headers: HEADERS });
    const id = response.status === 200 ? textOf(await response.text(), 'UploadId') : null;
    if (id === null) throw await s3UnavailableFrom(response, 'POST');
    return id;
  }

  return {
    hasParts: () => begun > 0,
    /** Sends the next part; several may be sent at once. */
    async add(body: readonly Uint8Array[]): Promise<void> {
      const index = begun++;
      uploadId ??= begin();
      const query = { partNumber: String(index + 1), uploadId: await uploadId };
      tags[index] = await put(send, { path, query, body });
    },
    /** Creates the object. Call when all parts are sent. */
    async complete(): Promise<void> {
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)];
      const query = { uploadId: (await uploadId) ?? '' };
      const check = { method: 'HEAD', path } as const;
      const response = await send({ method: 'POST', path, query, body, check });
      const text = await response.text();
      // The status 200 may be sent before the outcome is known:
      // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
      if (response.status === 200 && text.includes('<CompleteMultipartUploadResult')) return;
      const code = textOf(text, 'Code');
      // The response to `check`, one that was cut, or the page of a proxy.
      if (response.status === 200 && code === null && (await send(check)).status === 200) return;
      if (code === 'InternalError' || code === 'SlowDown') throw new Unavailable('blobs', `S3: ${code}`);
      throw s3Unavailable(response.status, code, 'POST');
    },
    /** Deletes the parts. Call when none is being sent: S3 may keep one that arrives later. */
    async abort(): Promise<void> {
      const id = await uploadId?.catch(() => undefined);
      if (id === undefined) return;
      const response = await send({ method: 'DELETE', path, query: { uploadId: id } });
      await response.body?.cancel();
    },
  };
}
