import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client';
import type { Fetch } from './retry.ts';

/** An HTTP stack for tus-js-client that uses `fetch`, for Node.js and Bun. Reports progress only after each chunk. */
export const createFetchStack = (fetch: Fetch): HttpStack => ({
  getName: () => 'fetch',
  createRequest: (method, url) => createRequest(fetch, method, url),
});

function createRequest(fetch: Fetch, method: string, url: string): HttpRequest {
  const headers = new Headers();
  const controller = new AbortController();
  let onProgress: (sentBytes: number) => void = () => {};
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => headers.set(name, value),
    getHeader: (name) => headers.get(name) ?? undefined,
    setProgressHandler(handler) {
      onProgress = handler;
    },
    async send(body: Blob | null | undefined) {
      const response = await fetch(new Request(url, { method, headers, body, signal: controller.signal }));
      const text = await response.text();
      if (body) onProgress(body.size);
      return responseOf(response, text);
    },
    async abort() {
      controller.abort();
    },
    getUnderlyingObject: () => null,
  };
}

function responseOf(response: Response, text: string): HttpResponse {
  return {
    getStatus: () => response.status,
    getHeader: (name) => response.headers.get(name) ?? undefined,
    getBody: () => text,
    getUnderlyingObject: () => response,
  };
}
