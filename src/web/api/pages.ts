import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Page } from '../../client/index.ts';
import { posthouse } from './posthouse.ts';

export interface PagesOf<Item> {
  queryKey: readonly unknown[];
  /** @param address of a page; null = the first */
  load(address: string | null, signal: AbortSignal): Promise<Page<Item>>;
}

interface AllPagesOptions<Item> extends PagesOf<Item> {
  /** Reports whether the pages of another query may be shown while the first one loads. */
  placeholder?: (key: readonly unknown[]) => boolean;
}

/** Returns a function that loads pages of a list by their addresses. @param first loads the first page */
export const pagesFrom =
  <Item>(first: (signal?: AbortSignal) => Promise<Page<Item>>) =>
  (address: string | null, signal?: AbortSignal): Promise<Page<Item>> =>
    address ? posthouse.page<Item>(address, { signal }) : first(signal);

/** Returns the items of all pages, or of the first pages that have `enough`. */
export async function readPages<Item>(
  load: (address: string | null) => Promise<Page<Item>>,
  enough = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let address: string | null = null;
  do {
    const page = await load(address);
    items.push(...page.items);
    address = page.next;
  } while (address !== null && items.length < enough);
  return items;
}

/** The query that loads a list page by page. */
export const pagesQuery = <Item>({ queryKey, load }: PagesOf<Item>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** Loads the pages of a list on request; `data` has the items of the pages loaded so far. */
export const useItems = <Item>(list: PagesOf<Item>) =>
  useInfiniteQuery({
    ...pagesQuery(list),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    staleTime: 0,
  });

/** Loads all pages of a list, one after the other, so that the first ones appear immediately. */
export function useAllPages<Item>({ placeholder, ...list }: AllPagesOptions<Item>) {
  const pages = useInfiniteQuery({
    ...pagesQuery(list),
    placeholderData: (before: InfiniteData<Page<Item>, string | null> | undefined, query) =>
      query && placeholder?.(query.queryKey) ? before : undefined,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = pages;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return pages;
}
