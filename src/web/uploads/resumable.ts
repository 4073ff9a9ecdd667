import { ApiError, problemOf } from '../api/http.ts';
import type { Send } from './upload.ts';

export const UPLOADS = '/api/storage/uploads';

/** Sends a file by tus 1.0.0, from where an earlier attempt ended. The queue alone repeats, so tus's own retries are off. */
export const sendResumable: Send = async ({ upload, folderId, signal, progress, addressed }) => {
  const { Upload: Tus, DetailedError } = await import('tus-js-client');
  await new Promise<void>((resolve, reject) => {
    const tus = new Tus(upload.file, {
      endpoint: UPLOADS,
      uploadUrl: upload.address,
      retryDelays: null,
      storeFingerprintForResuming: false,
      metadata: {
        filename: upload.name,
        folderId,
        ...(upload.replaceFileId ? { replaceFileId: upload.replaceFileId } : {}),
      },
      onUploadUrlAvailable: () => addressed(tus.url ?? ''),
      onProgress: progress,
      onSuccess: () => end(resolve),
      onError: (error) =>
        end(() => {
          const response = error instanceof DetailedError ? error.originalResponse : null;
          reject(
            response
              ? problemOf(response.getStatus(), response.getBody())
              : new ApiError({ status: 0, code: 'unreachable', detail: 'The server cannot be reached.' }),
          );
        }),
    });
    const stop = () => {
      void tus.abort();
      end(() => reject(new DOMException('stopped', 'AbortError')));
    };
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else tus.start();
  });
};

/** Takes back what the server has of an upload that will not go on. */
export async function discard(address: string): Promise<void> {
  await fetch(address, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } });
}

/** Does this server take resumable uploads? */
export async function takesResumable(): Promise<boolean> {
  const response = await fetch(UPLOADS, { method: 'OPTIONS' });
  return (response.headers.get('Tus-Version') ?? '').split(',').includes('1.0.0');
}
