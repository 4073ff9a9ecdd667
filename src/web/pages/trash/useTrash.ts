import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useItems } from '../../api/pages.ts';
import { listTrash } from '../../api/trash.ts';

/**
 * The entries of a trash, page by page, and those that are selected.
 * @param workspaceId undefined = the personal one
 */
export function useTrash(workspaceId: string | undefined) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const entries = useItems({
    queryKey: [...keys.trash, workspaceId],
    load: listTrash(workspaceId),
  });
  return {
    entries,
    selected: entries.data?.filter(({ id }) => ids.has(id)) ?? [],
    isSelected: (id: string) => ids.has(id),
    toggle: (id: string) => setIds(ids.symmetricDifference(new Set([id]))),
    select: (all: readonly { id: string }[]) => setIds(new Set(all.map(({ id }) => id))),
  };
}

export type TrashList = ReturnType<typeof useTrash>;
