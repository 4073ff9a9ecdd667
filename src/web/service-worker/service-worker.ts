import { addSharedFiles } from '../uploads/shared-files.ts';
import { isAppPage, SHARE_PATH } from './app-pages.ts';
import type { FetchEvent, ServiceWorkerScope } from './events.ts';
import { asset, keepPage, keptPage } from './offline-app.ts';

/*
 * Opens the app without a connection, and receives the files that other apps share. Only the app itself is stored: no
 * response of the API, no file, no page for visitors. While the server can be reached, pages are loaded from it, so
 * that an update takes effect with the next page.
 */

/** Time without a response from the server after which the stored app opens. */
const PATIENCE_MS = 5_000;
const scope = self as unknown as ServiceWorkerScope;

// A new worker replaces the previous one immediately: open pages do not depend on their differences.
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
  // Chromium sends both a preload and an ordinary request for a navigation that the worker leaves to the browser. A
  // sign-in whose page is requested twice fails. Registrations keep the state that earlier versions enabled.
  await scope.registration.navigationPreload?.disable();
  await scope.clients.claim();
  await keepPage(await fetch('/'));
}

/** Returns the page from the server, or the stored one if the server does not respond. */
async function page(event: FetchEvent): Promise<Response> {
  const answering = fetch(event.request);
  event.waitUntil(
    answering.then((response) => (response.ok ? keepPage(response.clone()) : undefined)).catch(() => {}),
  );
  const kept = await keptPage();
  if (!kept) return await answering;
  const { promise: late, resolve } = Promise.withResolvers<Response>();
  const timer = setTimeout(() => resolve(kept), PATIENCE_MS);
  return await Promise.race([answering.catch(() => kept), late]).finally(() => clearTimeout(timer));
}

/** Stores shared files until they are uploaded. */
async function receive(request: Request): Promise<Response> {
  try {
    const form = await request.formData();
    await addSharedFiles(form.getAll('files').filter((value) => value instanceof File));
  } catch {
    // The browser has no space, or refuses to store files; the page says that there is nothing to upload.
  }
  return Response.redirect(SHARE_PATH, 303);
}
