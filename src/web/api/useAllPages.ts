import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Page } from '../../client/index.ts';
import { whileOutage } from './queries.ts';

interface AllPagesOptions<Item> {
  queryKey: readonly unknown[];
  /** @param address of a page; null = the first */
  load(address: string | null, signal: AbortSignal): Promise<Page<Item>>;
  /** Pages that are shown while the first one loads. */
  placeholder?: (key: readonly unknown[]) => boolean;
}

/** Loads all pages of a list, one after the other, so that the first ones appear at once. */
export function useAllPages<Item>({ queryKey, load, placeholder }: AllPagesOptions<Item>) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: (before: InfiniteData<Page<Item>, string | null> | undefined, query) =>
      query && placeholder?.(query.queryKey) ? before : undefined,
    refetchInterval: whileOutage,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return pages;
}
