import { AwsV4Signer } from 'aws4fetch';
import { MB } from '../../kernel/bytes.ts';
import { reasonOf } from '../../kernel/errors/reason-of.ts';
import { Unavailable } from '../../kernel/errors/unavailable.ts';
import type { S3Limits } from './s3-limits.ts';
import { textOf } from './s3-xml.ts';

export interface BucketAccess {
  bucket: string;
  /** Null = AWS. */
  endpoint: string | null;
  region: string | null;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Path in the bucket; '' = the bucket itself. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Chunks of the body, which must not change until the response. */
  body?: readonly Uint8Array[];
  /** Length of the body of the response, if it is known: a shorter one ends with `Unavailable`. */
  expectedBytes?: number;
  /**
   * Maximum time of all waits for the response and its body, ms. Without it, only the time between two chunks of the
   * body is limited.
   */
  wholeMs?: number;
  /**
   * Sent before a retry: a response with status 200 means that an earlier attempt succeeded although its response was
   * lost.
   */
  check?: S3Request;
}

export interface S3Response {
  status: number;
  headers: Headers;
  /** Ends with `Unavailable` when no further bytes arrive. */
  body: ReadableStream<Uint8Array> | null;
  /** Returns the body, which must be short and arrive within the limit of all waits. @throws Unavailable */
  text(): Promise<string>;
}

/**
 * Sends a request, and retries it after failures of the connection or the server: every request of this store is safe
 * to repeat. Resolves with any other response.
 * @throws Unavailable
 */
export type S3Client = (request: S3Request) => Promise<S3Response>;

/** Bodies from this size are streamed, which shows their progress. */
const STREAMED = 262_144;
const MAX_ATTEMPTS = 4;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList */
export const NO_SUCH_KEY = 'NoSuchKey';
/** Maximum length of a text; a list of a thousand objects has less than 2 MB. */
const MAX_TEXT = 8 * MB;

export function createS3Client(bucket: BucketAccess, limits: S3Limits): S3Client {
  const { region, accessKeyId, secretAccessKey } = bucket;
  const credentials = { accessKeyId, secretAccessKey, service: 's3', region: region ?? undefined };
  const signingKeys = new Map<string, ArrayBuffer>();

  /** @param waitedMs the waits of earlier attempts */
  async function attempt(request: S3Request, isFirst: boolean, waitedMs: number): Promise<S3Response> {
    const { method, path, query, headers, body } = request;
    const url = urlIn(bucket, path);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({ ...credentials, cache: signingKeys, method, url: url.href, headers });
    const signed = await signer.sign();
    const controller = new AbortController();
    const watch = createWatch(limits.answerMs, () => controller.abort());
    const { size, content } = bodyOf(body ?? [], watch.progress);
    if (body) signed.headers.set('Content-Length', String(size));
    try {
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        body: content,
        signal: controller.signal,
        decompress: false,
        redirect: 'manual',
        // A retry does not reuse an idle connection, which may be as dead as that of the first attempt.
        keepalive: isFirst,
      });
      if (isFailure(response)) {
        await response.body?.cancel();
        throw new Error(`status ${response.status} to a ${method}`);
      }
      return wrap(response, {
        ...request,
        limits,
        connection: controller,
        waitedMs: waitedMs + watch.idleMs(),
      });
    } catch (error) {
      const reason = controller.signal.aborted ? `no response within ${limits.answerMs} ms` : reasonOf(error);
      throw new AttemptFailed(reason, watch.idleMs(), error);
    } finally {
      watch.stop();
    }
  }

  return async (request) => {
    let waitedMs = 0;
    for (let count = 1; ; count++) {
      try {
        const done = count > 1 && request.check ? await attempt(request.check, false, waitedMs) : null;
        if (done?.status === 200) return done;
        return await attempt(request, count === 1, waitedMs);
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error;
        const pause = limits.pauseMs * 2 ** (count - 1) * (0.5 + Math.random());
        waitedMs += error.idleMs + pause;
        if (count === MAX_ATTEMPTS || waitedMs + limits.answerMs > limits.requestMs) throw error;
        await Bun.sleep(pause);
      }
    }
  };
}

/** Returns the URL of a path in the bucket. */
export function urlIn({ bucket, endpoint, region }: BucketAccess, path: string): URL {
  const base = endpoint?.replace(/\/+$/, '') ?? `https://s3.${region ?? 'us-east-1'}.amazonaws.com`;
  return new URL(`${base}/${bucket}${path && `/${path}`}`);
}

/** The connection or the server failed. */
class AttemptFailed extends Unavailable {
  /** Time since the last progress. */
  readonly idleMs: number;
  constructor(reason: string, idleMs: number, cause: unknown) {
    super('blobs', `S3: ${reason}`, { cause });
    this.idleMs = idleMs;
  }
}

/** 503 is also SlowDown (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
function isFailure({ status }: Response): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** Calls `late` when `limitMs` pass without progress, unless it is stopped before. */
function createWatch(limitMs: number, late: () => void) {
  let timer = setTimeout(late, limitMs);
  let since = performance.now();
  return {
    progress() {
      clearTimeout(timer);
      timer = setTimeout(late, limitMs);
      since = performance.now();
    },
    idleMs: () => performance.now() - since,
    stop: () => clearTimeout(timer),
  };
}

/** @param progressed called when bytes of the body are read */
function bodyOf(chunks: readonly Uint8Array[], progressed: () => void) {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (size === 0) return { size, content: null };
  if (size < STREAMED) return { size, content: new Blob(chunks as Uint8Array<ArrayBuffer>[]) };
  let index = 0;
  const content = new ReadableStream<Uint8Array>({
    pull(controller) {
      progressed();
      const chunk = chunks[index++];
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return { size, content };
}

interface Watched extends Pick<S3Request, 'expectedBytes' | 'wholeMs'> {
  limits: S3Limits;
  connection: AbortController;
  /** Waits for the response before its body. */
  waitedMs: number;
}

/** Returns the rest of a limit of all waits; the body gets a moment even after the longest ones. */
const restOf = (ms: number, { waitedMs, limits }: Watched) => Math.max(ms - waitedMs, limits.answerMs / 4);

function wrap(response: Response, watched: Watched): S3Response {
  const { status, headers } = response;
  const { limits, connection } = watched;
  const body =
    response.body &&
    watch(response.body, status === 206 ? watched : { ...watched, expectedBytes: undefined });
  return {
    status,
    headers,
    body,
    async text() {
      const late = createWatch(restOf(limits.requestMs, watched), () => connection.abort());
      return await shortText(body).finally(late.stop);
    },
  };
}

/** Returns a body as text. @throws Unavailable when it is longer than `MAX_TEXT` */
async function shortText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_TEXT)
      throw new Unavailable('blobs', `S3: a response is longer than ${MAX_TEXT} characters`);
  }
  return text + decoder.decode();
}

/**
 * Ends the stream with `Unavailable` when a chunk or the whole does not arrive in time, or when bytes are missing:
 * `fetch` accepts a body whose end is marked only by the end of the connection (RFC 9112 §6.3). Bytes beyond the
 * expected ones, which some servers send, are discarded.
 */
function watch(source: ReadableStream<Uint8Array>, watched: Watched): ReadableStream<Uint8Array> {
  const { expectedBytes = Infinity, wholeMs = Infinity, limits, connection } = watched;
  const reader = source.getReader();
  const end = performance.now() + restOf(wholeMs, watched);
  let left = expectedBytes;
  return new ReadableStream(
    {
      async pull(controller) {
        const ms = Math.min(limits.bodyMs, end - performance.now());
        const late = createWatch(ms, () => connection.abort());
        try {
          const { done, value } = await reader.read();
          if (done && left > 0 && left !== Infinity) throw new Error(`${left} bytes are missing`);
          if (value) controller.enqueue(value.byteLength > left ? value.subarray(0, left) : value);
          left -= value?.byteLength ?? 0;
          if (!done && left >= 0) return;
          controller.close();
          if (left < 0) connection.abort();
        } catch (error) {
          connection.abort();
          controller.error(new Unavailable('blobs', `S3: ${reasonOf(error)}`, { cause: error }));
        } finally {
          late.stop();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Returns the error for an unexpected response, such as one to a wrong key, with the error code in its body. */
export async function s3UnavailableFrom(response: S3Response, method: string): Promise<Unavailable> {
  return s3Unavailable(response.status, textOf(await response.text().catch(() => ''), 'Code'), method);
}

/**
 * Error codes that wrong settings or a wrong clock cause, with the setting, if any, and a sentence
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList).
 */
const REMEDIES: Readonly<Record<string, readonly [setting: string | null, sentence: string]>> = {
  RequestTimeTooSkewed: [null, 'the clock of this machine is wrong'],
  NoSuchBucket: ['POSTHOUSE_S3_URL', 'the bucket in POSTHOUSE_S3_URL does not exist'],
  PermanentRedirect: ['POSTHOUSE_S3_URL', 'the bucket is in another region than POSTHOUSE_S3_URL says'],
  AuthorizationHeaderMalformed: ['POSTHOUSE_S3_URL', 'the region in POSTHOUSE_S3_URL is wrong'],
  InvalidAccessKeyId: ['AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY_ID is unknown there'],
  SignatureDoesNotMatch: [
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID',
  ],
  AccessDenied: ['POSTHOUSE_S3_URL', 'AWS_ACCESS_KEY_ID has no access to the bucket in POSTHOUSE_S3_URL'],
};

export function s3Unavailable(status: number, code: string | null, method: string): Unavailable {
  const reason = `S3 answered ${status} (${code ?? 'no code'}) to a ${method}`;
  const [setting = null, sentence] = REMEDIES[code ?? ''] ?? [];
  return new Unavailable('blobs', sentence ? `${reason}: ${sentence}` : reason, setting ? { setting } : {});
}

/**
 * Discards a response with status 404, which means that the object does not exist only if the server says so: a missing
 * bucket, or a proxy that does not find the server, must not make files appear lost.
 * @throws Unavailable for any other reason of the status
 */
export async function requireNoSuchKey(response: S3Response, method: string): Promise<void> {
  const code = textOf(await response.text(), 'Code');
  if (code !== NO_SUCH_KEY) throw s3Unavailable(response.status, code, method);
}
