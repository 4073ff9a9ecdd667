import type { DetailedError, HttpResponse } from 'tus-js-client';
import { errorOf, fileChanged, PosthouseError, retryAfter, unreachable } from './error.ts';
import { type Fetch, MAX_PAUSE_MS } from './retry.ts';
import { createSettle, createStallTimer } from './time-limit.ts';
import { createFetchStack } from './tus-fetch.ts';
import { nameOf, type ResumableOptions, requireReadable, type UploadOptions } from './upload-options.ts';
import { browser } from './whole-upload.ts';

interface ResumableUploadDeps {
  /** URL at which uploads are created. */
  endpoint: string;
  headers: Record<string, string>;
  /** Milliseconds without progress after which an upload is aborted. */
  timeoutMs: number;
  fetch: Fetch;
}

const CHUNK = 16 * 1_048_576;
/**
 * Multiple of `timeoutMs` for which a resumable upload may stall: the server joins its parts before the last response.
 */
const RESUMABLE_PATIENCE = 10;
const RETRY_DELAYS = [500, 1_000, 2_000, 4_000, 8_000];

/** Returns `Uploads.resumable`. */
export function createResumableUpload({ endpoint, headers, timeoutMs, fetch }: ResumableUploadDeps) {
  /** @param address of an unfinished upload; null = creates one */
  async function sendChunks(file: Blob, address: string | null, options: ResumableOptions) {
    const { Upload } = await import('tus-js-client');
    const { retryDelays = RETRY_DELAYS, signal } = options;
    return await new Promise<{ fileId: string }>((resolve, reject) => {
      const upload = new Upload(file as File, {
        endpoint: address === null ? endpoint : null,
        uploadUrl: address,
        // The server creates one upload, although the client may not receive the response and repeat the request.
        headers: address === null ? { ...headers, 'Idempotency-Key': crypto.randomUUID() } : headers,
        ...retryOptions(retryDelays),
        chunkSize: CHUNK,
        storeFingerprintForResuming: false,
        removeFingerprintOnSuccess: false,
        metadata: metadataOf(file, options),
        ...platformOptions(fetch),
        onUploadUrlAvailable() {
          // With an endpoint, any failure to find out the offset would start the upload again from the beginning.
          upload.options.endpoint = null;
          options.onAddress?.(upload.url ?? '');
        },
        onProgress(sent) {
          stalled.moved();
          options.onProgress?.(sent);
        },
        async onBeforeRequest() {
          await requireReadable(file);
          signal?.throwIfAborted();
        },
        onAfterResponse(request, response) {
          if (request.getMethod() === 'HEAD') requireSize(file, response.getHeader('Upload-Length'));
        },
        onSuccess({ lastResponse }) {
          const fileId = lastResponse.getHeader('Posthouse-File-Id');
          settle(() => (fileId ? resolve({ fileId }) : reject(withoutFile(lastResponse))));
        },
        onError: (error) => settle(() => reject(errorFrom(error))),
      });
      const abort = (reason: unknown) => {
        void upload.abort();
        settle(() => reject(reason));
      };
      const stop = () => abort(signal?.reason);
      const stalled = createStallTimer(RESUMABLE_PATIENCE * timeoutMs, () => abort(unreachable()));
      const settle = createSettle(stalled, signal, stop);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted) stop();
      else upload.start();
    });
  }

  return async (file: Blob, options: ResumableOptions = {}) => {
    const { address = null } = options;
    try {
      return await sendChunks(file, address, options);
    } catch (error) {
      if (address === null || !isGone(error)) throw error;
      return await sendChunks(file, null, options);
    }
  };
}

/** Reports whether an upload has expired or was deleted (tus 1.0.0, “HEAD”). */
const isGone = (error: unknown) => error instanceof PosthouseError && [404, 410].includes(error.status);

/** Checks that an upload was created for a file of this size. @throws PosthouseError `file_changed` */
function requireSize({ size }: Blob, length: string | undefined): void {
  if (length === undefined || Number(length) === size) return;
  throw fileChanged(`The file has ${size} bytes, but the upload to resume has ${length}.`);
}

/** Returns the error for the response to the last bytes if it has no file. */
function withoutFile(response: HttpResponse): PosthouseError {
  const detail = 'The response to the last bytes has no Posthouse-File-Id; it may be that of a proxy.';
  return new PosthouseError({ status: response.getStatus(), code: 'unknown', detail });
}

/** @param error of tus-js-client */
function errorFrom(error: Error | DetailedError): PosthouseError {
  const { causingError, originalResponse: answer } = error as Partial<DetailedError>;
  if (causingError instanceof PosthouseError) return causingError;
  if (!answer) return unreachable();
  return errorOf(answer.getStatus(), answer.getBody(), retryAfter(answer.getHeader('Retry-After') ?? null));
}

/** Returns the options of tus-js-client for retries after these pauses, or longer ones that the server requests. */
function retryOptions(retryDelays: readonly number[]) {
  const pauses = [...retryDelays];
  return {
    retryDelays: pauses,
    onShouldRetry(error: DetailedError, attempt: number) {
      const wanted = pauseBefore(errorFrom(error));
      if (wanted !== null) pauses[attempt] = Math.max(retryDelays[attempt] ?? 0, wanted);
      return wanted !== null;
    },
  };
}

/** Returns the minimum pause before a retry in milliseconds; null = the error is final. */
function pauseBefore({ status, code, retryAfterMs }: PosthouseError): number | null {
  const isTransient =
    code === 'unreachable' ||
    code === 'upload_offset_wrong' ||
    // A page of a proxy in place of the response.
    (code === 'unknown' && status < 400) ||
    [423, 429].includes(status) ||
    (status >= 500 && ![501, 507].includes(status));
  const pause = retryAfterMs ?? 0;
  return isTransient && pause <= MAX_PAUSE_MS ? pause : null;
}

function metadataOf(file: Blob, options: UploadOptions): Record<string, string> {
  const { folderId, replaceFileId, visibility, onConflict } = options;
  return {
    filename: nameOf(file, options),
    ...(file.type === '' ? {} : { filetype: file.type }),
    ...(folderId === undefined ? {} : { folderId }),
    ...(replaceFileId === undefined ? {} : { replaceFileId }),
    ...(visibility === undefined ? {} : { visibility: String(visibility) }),
    ...(onConflict === undefined ? {} : { onConflict }),
  };
}

/** Returns the options of tus-js-client outside a browser; it has its own for browsers. */
const platformOptions = (fetch: Fetch) =>
  browser.XMLHttpRequest === undefined ? { httpStack: createFetchStack(fetch), fileReader: blobReader } : {};

/** The file reader of tus-js-client for a Blob outside a browser. */
const blobReader = {
  async openFile(file: Blob) {
    return {
      size: file.size,
      async slice(start: number, end: number) {
        return { value: file.slice(start, end), done: end >= file.size };
      },
      close() {},
    };
  },
};
