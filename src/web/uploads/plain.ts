import { ApiError, problemOf } from '../api/http.ts';
import type { Send } from './upload.ts';

/** Sends a file in one multipart request. XMLHttpRequest, since `fetch` tells no progress. */
export const sendPlain: Send = ({ upload, folderId, signal, progress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    request.upload.onprogress = ({ loaded }) => progress(Math.min(loaded, upload.file.size));
    request.onload = () => end(() => (request.status < 300 ? resolve() : reject(problemOf(request.status, request.responseText))));
    request.onerror = () => end(() => reject(new ApiError({ status: 0, code: 'unreachable', detail: 'The server cannot be reached.' })));
    request.onabort = () => end(() => reject(new DOMException('stopped', 'AbortError')));
    signal.addEventListener('abort', stop);
    request.open('POST', upload.replaceFileId ? `/api/storage/files/${upload.replaceFileId}/replace` : `/api/storage/files/${folderId}`);
    const form = new FormData();
    form.append('originalName', upload.name);
    form.append('file', upload.file, upload.name);
    request.send(form);
  });
