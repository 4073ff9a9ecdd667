import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { whileOutage } from '../../api/queries.ts';
import { keys } from '../../api/storage.ts';
import { listTrash } from '../../api/trash.ts';

/**
 * The entries of a trash, page by page, and those that are selected.
 * @param workspaceId undefined = the personal one
 */
export function useTrash(workspaceId: string | undefined) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const pages = useInfiniteQuery({
    queryKey: [...keys.trash, workspaceId],
    queryFn: ({ pageParam, signal }) => listTrash(workspaceId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    refetchInterval: whileOutage,
  });
  const entries = pages.data?.pages.flatMap(({ items }) => items);
  return {
    query: { data: entries, error: pages.error, refetch: pages.refetch },
    showMore: pages.hasNextPage ? () => void pages.fetchNextPage() : null,
    isLoadingMore: pages.isFetchingNextPage,
    selected: entries?.filter(({ id }) => ids.has(id)) ?? [],
    isSelected: (id: string) => ids.has(id),
    toggle: (id: string) => setIds(ids.symmetricDifference(new Set([id]))),
    select: (all: readonly { id: string }[]) => setIds(new Set(all.map(({ id }) => id))),
  };
}

export type TrashList = ReturnType<typeof useTrash>;
