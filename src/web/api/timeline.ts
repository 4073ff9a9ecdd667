import { pagesFrom } from './pages.ts';
import { posthouse, type Schemas } from './posthouse.ts';

/** The pictures and videos of one month. */
export type Month = Awaited<ReturnType<typeof getTimeline>>[number];

/** A picture or video, with a placeholder until its thumbnail is loaded. */
export type Picture = Schemas['MonthItem'];

const PAGE_SIZE = 500;

/** Counts the pictures and videos of a folder and of all folders below it by month, the newest month first. */
export const getTimeline = (folderId: string) =>
  posthouse.get('/api/storage/timeline', { params: { query: { folderId } } });

/** Loads the pictures and videos of a month, latest first. */
export const listMonth = (folderId: string, month: string) =>
  pagesFrom((signal) =>
    posthouse.list('/api/storage/timeline/{month}', {
      params: { path: { month }, query: { folderId, limit: PAGE_SIZE } },
      signal,
    }),
  );
