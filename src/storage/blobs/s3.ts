import { MINUTE } from '../../kernel/clock.ts';
import { type BlobFacts, BlobMissing, type Blobs, type BlobWriter } from './port.ts';

export interface S3Bucket {
  bucket: string;
  /** Null = AWS. */
  endpoint: string | null;
  region: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

const PREFIX = 'blobs/';
/** S3 accepts parts of 5 MiB and more, 10,000 at most. */
const PART = 8_388_608;
const PAGE = 1_000;

/** Blobs as objects of an S3 bucket. */
export function openS3Blobs({ bucket, endpoint, region, accessKeyId, secretAccessKey }: S3Bucket): Blobs {
  const client = new Bun.S3Client({
    bucket,
    accessKeyId,
    secretAccessKey,
    endpoint: endpoint ?? undefined,
    region: region ?? undefined,
  });
  const pathOf = (key: string) => PREFIX + key;
  return {
    create: (key) => createObjectWriter(client, pathOf(key)),
    async read(key, size, range) {
      if (size === 0) return await emptyObject(client, pathOf(key), key);
      // One request, whose status shows whether the object exists before any byte of it is passed on.
      const answer = await fetch(client.presign(pathOf(key), { expiresIn: MINUTE / 1000 }), {
        headers: { Range: `bytes=${range?.start ?? 0}-${(range?.end ?? size) - 1}` },
        decompress: false,
      });
      if (answer.status === 206 && answer.body && totalOf(answer) === size) return answer.body;
      await answer.body?.cancel();
      if (answer.status === 206 || answer.status === 404 || answer.status === 416) throw new BlobMissing(key);
      throw new Error(`the S3 server answered ${answer.status} to a GET`);
    },
    stat: (key) => factsOf(client, pathOf(key)),
    delete: (key) => client.delete(pathOf(key)),
    async *list() {
      let continuationToken: string | undefined;
      do {
        const page = await client.list({ prefix: PREFIX, maxKeys: PAGE, continuationToken });
        for (const { key, size, lastModified } of page.contents ?? []) {
          yield {
            key: key.slice(PREFIX.length),
            size: Number(size ?? 0),
            dateModified: Date.parse(lastModified ?? ''),
          };
        }
        continuationToken = page.isTruncated ? page.nextContinuationToken : undefined;
      } while (continuationToken);
    },
    // An object is visible as a whole only; a lifecycle rule of the bucket deletes the unfinished uploads of dead
    // processes.
    sweepUnfinished: async () => 0,
    freeBytes: () => Number.POSITIVE_INFINITY,
    // A read: buckets do not fill up, and each write costs money.
    async probe() {
      await client.exists(pathOf('probe'));
    },
  };
}

/**
 * Bun's writer buffers without limit and stores the object even when it ends with an error. So it is flushed after
 * each part, which waits for the network, and an abort deletes the stored object, whose key is still unused.
 * Nothing is sent before the first full part.
 */
function createObjectWriter(client: Bun.S3Client, path: string): BlobWriter {
  const type = 'application/octet-stream';
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let sink: Bun.NetworkSink | undefined;
  let failure: unknown;
  let ended = false;

  async function sendPart(): Promise<void> {
    sink ??= client.file(path).writer({ partSize: PART, queueSize: 2, retry: 3, type });
    const chunks = held;
    held = [];
    heldBytes = 0;
    try {
      for (const chunk of chunks) sink.write(chunk);
      await sink.flush();
    } catch (error) {
      failure = error;
      throw error;
    }
  }

  return {
    write(bytes) {
      if (failure !== undefined) throw failure;
      held.push(bytes);
      heldBytes += bytes.byteLength;
      return heldBytes < PART ? undefined : sendPart();
    },
    async commit() {
      if (failure !== undefined) throw failure;
      if (sink) {
        for (const chunk of held) sink.write(chunk);
        await sink.end();
      } else {
        await client.write(path, new Blob(held as Uint8Array<ArrayBuffer>[]), { type, retry: 3 });
      }
      ended = true;
    },
    async abort() {
      if (ended) return;
      ended = true;
      held = [];
      try {
        await sink?.end();
      } catch {
        // The upload had failed before; there may be an object nevertheless.
      }
      await client.delete(path);
    },
  };
}

/** An empty object has no range to request. */
async function emptyObject(client: Bun.S3Client, path: string, key: string): Promise<Blob> {
  if ((await factsOf(client, path))?.size !== 0) throw new BlobMissing(key);
  return new Blob([]);
}

/** Returns the total size in a Content-Range. */
function totalOf(answer: Response): number {
  return Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? Number.NaN);
}

const NOT_FOUND = new Set(['NoSuchKey', 'NotFound']);

async function factsOf(client: Bun.S3Client, path: string): Promise<BlobFacts | null> {
  try {
    const { size, lastModified } = await client.stat(path);
    return { size, dateModified: lastModified.getTime() };
  } catch (error) {
    if (NOT_FOUND.has((error as { code?: string } | null)?.code ?? '')) return null;
    throw error;
  }
}
