import { putSharedFiles } from '../pages/share/shared-files.ts';
import { isAppPage, SHARE_PATH } from './app-pages.ts';
import type { FetchEvent, ServiceWorkerScope } from './events.ts';
import { asset, keepPage, keptPage } from './offline-app.ts';

/*
 * Opens the app without a connection, and receives the files that other apps share. Nothing but the app itself is kept:
 * no answer of the API, no file, no page for strangers. A page always comes from the server while it can be reached, so
 * that an update is there with the next page.
 */

const scope = self as unknown as ServiceWorkerScope;

// A new worker replaces the one before at once: they differ in nothing that open pages depend on.
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(activate()));
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === 'navigate' && request.method === 'POST' && pathname === SHARE_PATH)
    event.respondWith(receive(request));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isAppPage(pathname)) event.respondWith(page(event));
  if (request.mode !== 'navigate' && pathname.startsWith('/assets/')) event.respondWith(asset(request));
});

async function activate(): Promise<void> {
  await scope.registration.navigationPreload?.enable();
  await scope.clients.claim();
  await keepPage(await fetch('/'));
}

/** Returns the page of the server, or the one that was kept if the server cannot be reached. */
async function page(event: FetchEvent): Promise<Response> {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (answer.ok) event.waitUntil(keepPage(answer.clone()));
    return answer;
  } catch (error) {
    const kept = await keptPage();
    if (!kept) throw error;
    return kept;
  }
}

/** Stores shared files until the page that chooses their folder takes them. */
async function receive(request: Request): Promise<Response> {
  const form = await request.formData();
  await putSharedFiles(form.getAll('files').filter((value) => value instanceof File));
  return Response.redirect(SHARE_PATH, 303);
}
