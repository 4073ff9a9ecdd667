import { hashKey, type QueryClient } from '@tanstack/react-query';
import { pagesQuery } from '../api/pages.ts';
import { meQuery } from '../api/session.ts';
import { filesPages, folderQuery } from '../api/storage.ts';
import { workspacesQuery } from '../api/workspaces.ts';
import { storedView } from '../pages/files/useView.ts';

/** Addresses of the files page; without an ID, that of the personal files. */
const FOLDER = /^\/files(?:\/([0-9a-f-]{36}))?$/;

/** Loads the account. Resolves after the first attempt, so that the app reports an outage during further attempts. */
async function loadMe(queries: QueryClient): Promise<void> {
  const failed = Promise.withResolvers<void>();
  const cache = queries.getQueryCache();
  const unsubscribe = cache.subscribe(({ query }) => {
    if (query.queryHash === hashKey(meQuery.queryKey) && query.state.fetchFailureCount > 0) failed.resolve();
  });
  await Promise.race([queries.prefetchQuery(meQuery), failed.promise]);
  unsubscribe();
}

/**
 * Loads the account. Then requests the folder that is shown at an address, so that the responses arrive while the
 * scripts of the page run.
 */
export async function prefetch(queries: QueryClient, address: string): Promise<void> {
  await loadMe(queries);
  const me = queries.getQueryData(meQuery.queryKey);
  const shown = FOLDER.exec(address);
  const folderId = shown?.[1] ?? me?.rootFolderId;
  if (!me || !shown || !folderId) return;
  void queries.prefetchQuery(workspacesQuery);
  void queries.prefetchQuery(folderQuery(folderId));
  void queries.prefetchInfiniteQuery(pagesQuery(filesPages(folderId, storedView())));
}
