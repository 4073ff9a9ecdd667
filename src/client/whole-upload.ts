import { errorOf, foreign, type PosthouseError, retryAfter, unreachable } from './error.ts';
import { parseJson, received } from './receive.ts';
import { createSettle, createStallTimer } from './time-limit.ts';
import { nameOf, requireReadable, type UploadOptions, type UploadRecord } from './upload-options.ts';

export interface WholeUploadDeps {
  baseUrl: string;
  headers: Record<string, string>;
  /** Milliseconds without progress after which an upload is aborted. */
  timeoutMs: number;
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
export const browser = globalThis as { XMLHttpRequest?: new () => FormRequest };

/**
 * Bytes for which an upload by `fetch` has another `timeoutMs`. `fetch` reports no progress, and sends a stream, whose
 * bytes could be counted, without `Content-Length`.
 */
const TIMED_BYTES = 1_000_000;

/** Returns `Uploads.whole`. */
export function createWholeUpload({ baseUrl, headers, timeoutMs, send }: WholeUploadDeps) {
  return async (file: Blob, options: UploadOptions = {}): Promise<UploadRecord> => {
    await requireReadable(file);
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
    const ms = timeoutMs * (1 + file.size / TIMED_BYTES);
    const body = await withLimit(ms, options.signal, async (signal) => {
      const response = await send(path, { method: 'POST', body: form, signal });
      options.onProgress?.(file.size);
      return await received(response.text(), signal);
    });
    return recordOf(body);
  };
}

/** Runs `work` with a signal that is aborted with `signal`, or with `unreachable` after `ms`. */
async function withLimit<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const stop = () => limit.abort(signal?.reason);
  const stalled = createStallTimer(ms, () => limit.abort(unreachable()));
  signal?.addEventListener('abort', stop);
  return await work(limit.signal).finally(() => createSettle(stalled, signal, stop)(() => {}));
}

function recordOf(body: string): UploadRecord {
  const record = parseJson(body) as UploadRecord | null;
  if (typeof record?.Id !== 'string') throw foreign();
  return record;
}

function formOf(file: Blob, options: UploadOptions): FormData {
  const form = new FormData();
  if (options.replaceFileId === undefined) form.append('originalName', nameOf(file, options));
  if (options.visibility !== undefined) form.append('visibility', String(options.visibility));
  if (options.onConflict !== undefined) form.append('onConflict', options.onConflict);
  form.append('file', file, nameOf(file, options));
  return form;
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
