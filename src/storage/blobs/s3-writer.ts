import { MB } from '../../kernel/bytes.ts';
import { SECOND } from '../../kernel/clock.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { PartMemory } from './part-memory.ts';
import type { BlobWriter } from './port.ts';
import {
  requireBucket,
  type S3Client,
  type S3Request,
  s3Unavailable,
  s3UnavailableFrom,
} from './s3-client.ts';
import { textOf } from './s3-xml.ts';

/** S3 accepts at most 10,000 parts, each of 5 MiB or more. */
const PART = 8 * MB;
const HEADERS = { 'Content-Type': 'application/octet-stream' };
/** Maximum number of attempts to clean up; the sweeper deletes the rest. */
const CLEANUP_ATTEMPTS = 8;
const CLEANUP_PAUSE_MS = SECOND;

/**
 * Writes an object: in one request, or in parts when it is larger than one. One part is sent while the next is
 * received. The object is visible when it is complete.
 * @param memory bounds the bytes that all writers of the store hold
 */
export function createObjectWriter(send: S3Client, path: string, memory: PartMemory): BlobWriter {
  const upload = createMultipart(send, path);
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let part = memory.open(giveUp);
  /** Settles when all parts that were begun are sent. */
  let sending = Promise.resolve();
  let failure: unknown;
  /** True once the commit has begun: the object may exist even if no response arrived. */
  let mayExist = false;
  let ended = false;

  function giveUp(reason: unknown): void {
    failure ??= reason;
    held = [];
  }

  function hold(bytes: Uint8Array): Promise<void> | undefined {
    held.push(bytes);
    heldBytes += bytes.byteLength;
    return heldBytes < PART ? undefined : sendPart();
  }

  function sendPart(): Promise<void> {
    const [chunks, full] = [held, part];
    full.seal();
    held = [];
    heldBytes = 0;
    part = memory.open(giveUp);
    const before = sending;
    sending = before.then(() => upload.add(chunks)).finally(full.release);
    sending.catch((error) => {
      failure ??= error;
    });
    return before;
  }

  async function finish(): Promise<void> {
    part.seal();
    if (!upload.hasParts()) {
      await put(send, { path, headers: HEADERS, body: held });
      return;
    }
    if (heldBytes > 0) await sendPart();
    await sending;
    await upload.complete();
  }

  async function cleanUp(): Promise<void> {
    await sending.catch(() => {});
    await upload.abort();
    if (mayExist) await deleteObject(send, path);
  }

  return {
    write(bytes) {
      if (failure !== undefined) throw failure;
      const admitted = part.add(bytes.byteLength);
      return admitted ? admitted.then(() => hold(bytes)) : hold(bytes);
    },
    async commit() {
      if (failure !== undefined) throw failure;
      mayExist = true;
      try {
        await finish();
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        part.release();
      }
      ended = true;
    },
    async abort() {
      if (ended) return;
      ended = true;
      held = [];
      part.release();
      // The caller does not wait for a server that did not respond.
      if (failure instanceof Unavailable) void retry(cleanUp);
      else await cleanUp();
    },
  };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html */
function createMultipart(send: S3Client, path: string) {
  const tags: string[] = [];
  let begun = 0;
  let uploadId: string | undefined;

  async function begin(): Promise<string> {
    const response = await send({ method: 'POST', path, query: { uploads: '' }, headers: HEADERS });
    const id = response.status === 200 ? textOf(await response.text(), 'UploadId') : null;
    if (id === null) throw await s3UnavailableFrom(response, 'POST');
    return id;
  }

  return {
    hasParts: () => begun > 0,
    async add(body: readonly Uint8Array[]): Promise<void> {
      begun++;
      uploadId ??= await begin();
      const query = { partNumber: String(tags.length + 1), uploadId };
      tags.push(await put(send, { path, query, body }));
    },
    async complete(): Promise<void> {
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      );
      const body = [Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)];
      const check = { method: 'HEAD', path } as const;
      const response = await send({ method: 'POST', path, query: { uploadId: uploadId ?? '' }, body, check });
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
    async abort(): Promise<void> {
      if (uploadId === undefined) return;
      const response = await send({ method: 'DELETE', path, query: { uploadId } });
      await response.body?.cancel();
    },
  };
}

/** Uploads an object or a part, and returns its entity tag. */
async function put(send: S3Client, request: Omit<S3Request, 'method'>): Promise<string> {
  const response = await send({ ...request, method: 'PUT' });
  const tag = response.headers.get('ETag');
  // A proxy can respond with status 200 and another page, such as a sign-in page.
  if (response.status !== 200 || tag === null) throw await s3UnavailableFrom(response, 'PUT');
  await response.body?.cancel();
  return tag;
}

export async function deleteObject(send: S3Client, path: string): Promise<void> {
  const response = await send({ method: 'DELETE', path });
  if (response.status >= 300 && response.status !== 404) throw await s3UnavailableFrom(response, 'DELETE');
  await requireBucket(response, 'DELETE');
}

async function retry(work: () => Promise<void>): Promise<void> {
  for (let count = 0; count < CLEANUP_ATTEMPTS; count++) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, CLEANUP_PAUSE_MS * 2 ** count).unref());
    }
  }
}
