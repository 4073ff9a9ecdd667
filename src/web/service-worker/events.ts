/*
 * The types of a service worker that are used here (https://w3c.github.io/ServiceWorker/): those of TypeScript's
 * library for workers contradict those of pages.
 */

export interface ExtendableEvent extends Event {
  /** Keeps the worker alive until `work` ends. */
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  /** The answer to a navigation that the browser has requested while it started the worker. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}

export interface ServiceWorkerScope {
  readonly clients: { claim(): Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
