/** Cache with one version of the app: its page, under `PAGE`, and the assets that the page refers to. */
const CACHE = 'app';
const PAGE = '/';
const ASSET = /(?:href|src)="(\/assets\/[^"]+)"/g;

/** Stores a page of the app with its assets, in place of the previous version, if all of them can be loaded. */
export async function keepPage(page: Response): Promise<void> {
  // Pages of two versions can arrive at once while nodes are updated.
  await navigator.locks.request(CACHE, () => keep(page));
}

async function keep(page: Response): Promise<void> {
  const html = await page.clone().text();
  const assets = new Set([...html.matchAll(ASSET)].map(([, path]) => path ?? ''));
  const cache = await caches.open(CACHE);
  if (assets.size === 0 || (await (await keptPage())?.text()) === html) return;
  const held = new Map((await cache.keys()).map((request) => [new URL(request.url).pathname, request]));
  await cache.addAll([...assets].filter((path) => !held.has(path)));
  await cache.put(PAGE, page);
  for (const [path, request] of held)
    if (path !== PAGE && !assets.has(path)) await cache.delete(request, { ignoreVary: true });
}

/** Returns the stored page; undefined = none. */
export async function keptPage(): Promise<Response | undefined> {
  return await (await caches.open(CACHE)).match(PAGE, { ignoreVary: true });
}

/** Returns a file of the app. Its name contains a hash of its content, so that a stored copy is current. */
export async function asset(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreVary: true });
  return kept ?? (await fetch(request));
}
