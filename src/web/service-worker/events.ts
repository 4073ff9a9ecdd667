/*
 * The types of service workers that the app uses (https://w3c.github.io/ServiceWorker/): TypeScript's library of worker
 * types conflicts with that of page types.
 */

export interface ExtendableEvent extends Event {
  /** Keeps the worker alive until `work` ends. */
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export interface ServiceWorkerScope {
  readonly clients: { claim(): Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
