import { posthouse, type Schemas } from './posthouse.ts';

/** The pictures and videos of one month. */
export type Month = Awaited<ReturnType<typeof getTimeline>>[number];

/** A picture or video, with a placeholder until its thumbnail is loaded. */
export type Picture = Schemas['MonthItem'];

const PAGE_SIZE = 500;

export const timelineKeys = {
  months: (folderId: string) => ['timeline', folderId] as const,
  month: (folderId: string, month: string) => ['timeline', folderId, month] as const,
};

/** Counts the pictures and videos of a folder and of all folders below it by month, the newest month first. */
export const getTimeline = (folderId: string) =>
  posthouse.get('/api/storage/timeline', { params: { query: { folderId } } });

/** Returns a page of the pictures and videos of a month, latest first. @param address of a page; null = the first */
export async function listMonth(
  folderId: string,
  month: string,
  address: string | null,
  signal: AbortSignal,
) {
  if (address) return await posthouse.page<Picture>(address, { signal });
  return await posthouse.list('/api/storage/timeline/{month}', {
    params: { path: { month }, query: { folderId, limit: PAGE_SIZE } },
    signal,
  });
}
