import type { HttpResponse } from 'tus-js-client';
import { errorOf, foreign, PosthouseError, retryAfter, unreachable } from './error.ts';
import type { Fetch } from './retry.ts';
import type { components } from './schema.d.ts';
import { createStallTimer } from './time-limit.ts';
import { createFetchStack } from './tus-fetch.ts';

/** The response to a multipart upload. */
export type UploadRecord = components['schemas']['UploadRecord'];

export interface UploadOptions {
  /** Name of a new file; default: the name of a `File`. A replaced file keeps its own. */
  name?: string;
  /** The folder of a new file; default: the root of the caller's workspace. */
  folderId?: string;
  /** Replaces the bytes of this file instead of creating one. */
  replaceFileId?: string;
  /**
   * When a file of the folder has the name: keeps both (`keep`, the default), adds a number (`rename`), replaces the
   * bytes of that file (`replace`), or fails with `name_taken` (`fail`).
   */
  onConflict?: 'keep' | 'rename' | 'replace' | 'fail';
  /** 0 = private (default), 1 = public. */
  visibility?: 0 | 1;
  /** Called with the number of bytes sent so far. */
  onProgress?(sentBytes: number): void;
  signal?: AbortSignal;
}

export interface ResumableOptions extends UploadOptions {
  /** Address of an unfinished upload to resume. */
  address?: string | null;
  /** Called once the server has created the upload; keep the address to resume it later. */
  onAddress?(address: string): void;
  /** Pauses before the retries after a lost connection, in milliseconds; [] = no retries. */
  retryDelays?: readonly number[];
}

export interface Uploads {
  /** Uploads in one request. @throws PosthouseError; the reason of `signal` */
  whole(file: Blob, options?: UploadOptions): Promise<UploadRecord>;
  /**
   * Uploads in chunks and resumes after a lost connection (tus 1.0.0). Returns the ID of the file. @throws like
   * `whole`
   */
  resumable(file: Blob, options?: ResumableOptions): Promise<{ fileId: string | null }>;
  /** Uploads small files whole and large ones resumably. @throws like `whole` */
  upload(file: Blob, options?: ResumableOptions): Promise<{ fileId: string | null }>;
  /** Returns the maximum size of a file in bytes; null = no limit is known. @throws PosthouseError */
  maxBytes(): Promise<number | null>;
  /** Deletes an unfinished upload. @throws PosthouseError */
  cancel(address: string): Promise<void>;
}

interface UploadsDeps {
  baseUrl: string;
  headers: Record<string, string>;
  /** Milliseconds without progress after which an upload is aborted. */
  timeoutMs: number;
  fetch: Fetch;
  send(path: string, init?: RequestInit): Promise<Response>;
}

/** The members of XMLHttpRequest that are used here. Only browsers have it. */
interface FormRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  readonly status: number;
  readonly responseText: string;
  getResponseHeader(name: string): string | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: FormData): void;
  abort(): void;
}
const browser = globalThis as { XMLHttpRequest?: new () => FormRequest };

const ENDPOINT = '/api/storage/uploads';
const TUS = { 'Tus-Resumable': '1.0.0' };
/** Minimum bytes of a resumable upload: repeating a smaller one takes no longer than resuming it. */
const RESUMABLE_FROM = 4_000_000;
const CHUNK = 16 * 1_048_576;
/**
 * Multiple of `timeoutMs` for which a resumable upload may stall: the server joins its parts before the last response.
 */
const RESUMABLE_PATIENCE = 10;
const RETRY_DELAYS = [500, 1_000, 2_000, 4_000, 8_000];

export function createUploads({ baseUrl, headers, timeoutMs, fetch, send }: UploadsDeps): Uploads {
  async function whole(file: Blob, options: UploadOptions = {}): Promise<UploadRecord> {
    options.signal?.throwIfAborted();
    const path = options.replaceFileId
      ? `/api/storage/files/${options.replaceFileId}/replace`
      : `/api/storage/files/${options.folderId ?? 'root'}`;
    const form = formOf(file, options);
    if (browser.XMLHttpRequest) {
      // The request also contains the delimiters and fields of the form, so it is larger than the file.
      const onProgress = (sent: number) => options.onProgress?.(Math.min(sent, file.size));
      const request = new browser.XMLHttpRequest();
      const limits = { onProgress, signal: options.signal, timeoutMs };
      return recordOf(await sendForm(request, `${baseUrl}${path}`, form, headers, limits));
    }
    const response = await send(path, { method: 'POST', body: form, signal: options.signal });
    options.onProgress?.(file.size);
    return recordOf(await response.text());
  }

  /** @param address of an unfinished upload; null = creates one */
  async function sendChunks(file: Blob, address: string | null, options: ResumableOptions) {
    const { Upload, DetailedError } = await import('tus-js-client');
    const { retryDelays = RETRY_DELAYS, signal } = options;
    return await new Promise<{ fileId: string | null }>((resolve, reject) => {
      const upload = new Upload(file as File, {
        endpoint: address === null ? `${baseUrl}${ENDPOINT}` : null,
        uploadUrl: address,
        // The server creates one upload, although the client may not receive the response and repeat the request.
        headers: address === null ? { ...headers, 'Idempotency-Key': crypto.randomUUID() } : headers,
        retryDelays: retryDelays.length === 0 ? null : [...retryDelays],
        chunkSize: CHUNK,
        storeFingerprintForResuming: false,
        removeFingerprintOnSuccess: false,
        metadata: metadataOf(file, options),
        ...(browser.XMLHttpRequest === undefined
          ? { httpStack: createFetchStack(fetch), fileReader: blobReader }
          : {}),
        onUploadUrlAvailable() {
          // With an endpoint, any failure to find out the offset would start the upload again from the beginning.
          upload.options.endpoint = null;
          options.onAddress?.(upload.url ?? '');
        },
        onProgress(sent) {
          stalled.moved();
          options.onProgress?.(sent);
        },
        onSuccess: ({ lastResponse }) =>
          settle(() => resolve({ fileId: lastResponse.getHeader('Posthouse-File-Id') ?? null })),
        onError: (error) => {
          const answer = error instanceof DetailedError ? error.originalResponse : null;
          settle(() => reject(answer ? errorFrom(answer) : unreachable()));
        },
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

  async function resumable(file: Blob, options: ResumableOptions = {}) {
    const { address = null } = options;
    try {
      return await sendChunks(file, address, options);
    } catch (error) {
      if (address === null || !isGone(error)) throw error;
      return await sendChunks(file, null, options);
    }
  }

  return {
    whole,
    resumable,
    async upload(file, options) {
      if (file.size >= RESUMABLE_FROM || options?.address) return await resumable(file, options);
      return { fileId: (await whole(file, options)).Id };
    },
    async maxBytes() {
      const { headers } = await send(ENDPOINT, { method: 'OPTIONS' });
      const size = headers.get('Tus-Max-Size');
      return size === null ? null : Number(size);
    },
    async cancel(address) {
      await send(address, { method: 'DELETE', headers: TUS });
    },
  };
}

/** Reports whether an upload has expired or was deleted (tus 1.0.0, “HEAD”). */
const isGone = (error: unknown) => error instanceof PosthouseError && [404, 410].includes(error.status);

const errorFrom = (answer: HttpResponse) =>
  errorOf(answer.getStatus(), answer.getBody(), retryAfter(answer.getHeader('Retry-After') ?? null));

const nameOf = (file: Blob, { name }: UploadOptions) => name ?? (file as Partial<File>).name ?? 'file';

function recordOf(body: string): UploadRecord {
  try {
    return JSON.parse(body) as UploadRecord;
  } catch {
    throw foreign();
  }
}

function formOf(file: Blob, options: UploadOptions): FormData {
  const form = new FormData();
  if (options.replaceFileId === undefined) form.append('originalName', nameOf(file, options));
  if (options.visibility !== undefined) form.append('visibility', String(options.visibility));
  if (options.onConflict !== undefined) form.append('onConflict', options.onConflict);
  form.append('file', file, nameOf(file, options));
  return form;
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

/** Returns a function that stops the timer, removes the listener of an upload, and then calls `end`. */
function createSettle(stalled: { stop(): void }, signal: AbortSignal | undefined, stop: () => void) {
  return (end: () => void) => {
    stalled.stop();
    signal?.removeEventListener('abort', stop);
    end();
  };
}

/** Returns the body of the response. Uses XMLHttpRequest, since `fetch` does not report progress. */
function sendForm(
  request: FormRequest,
  url: string,
  form: FormData,
  headers: Record<string, string>,
  { onProgress, signal, timeoutMs }: Pick<UploadOptions, 'onProgress' | 'signal'> & { timeoutMs: number },
): Promise<string> {
  return new Promise((resolve, reject: (error: PosthouseError | unknown) => void) => {
    const stop = () => request.abort();
    const stalled = createStallTimer(timeoutMs, stop);
    const settle = createSettle(stalled, signal, stop);
    request.upload.onprogress = ({ loaded }) => {
      stalled.moved();
      onProgress?.(loaded);
    };
    request.onload = () =>
      settle(() =>
        request.status < 300
          ? resolve(request.responseText)
          : reject(
              errorOf(
                request.status,
                request.responseText,
                retryAfter(request.getResponseHeader('Retry-After')),
              ),
            ),
      );
    request.onerror = () => settle(() => reject(unreachable()));
    request.onabort = () => settle(() => reject(signal?.aborted ? signal.reason : unreachable()));
    signal?.addEventListener('abort', stop);
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(form);
  });
}

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
