import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type FolderDetail, folderQuery } from '../../../api/storage.ts';
import { byName } from '../entries.ts';

/** A visible folder of the tree. */
export interface TreeNode {
  id: string;
  name: string;
  /** 1 = the root. */
  level: number;
  isOpen: boolean;
  /** Whether the folder is known to have no subfolders. */
  isLeaf: boolean;
}

/**
 * The visible folders of the tree from top to bottom. Subfolders are loaded when their parent is opened.
 * @param root of the workspace
 * @param path IDs from the root to the current folder, which are open until they are closed
 */
export function useFolderTree(root: { id: string; name: string }, path: readonly string[]) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (id: string) => toggled.get(id) ?? (id === root.id || path.includes(id));
  const openIds = [...new Set([root.id, ...path, ...toggled.keys()])].filter(isOpen);
  const folders = useQueries({
    queries: openIds.map(folderQuery),
    combine: (results) =>
      new Map(results.flatMap(({ data }): [string, FolderDetail][] => (data ? [[data.id, data]] : []))),
  });

  const visible = (id: string, name: string, level: number): TreeNode[] => {
    const children = isOpen(id) ? folders.get(id)?.folders : undefined;
    return [
      { id, name, level, isOpen: isOpen(id), isLeaf: children?.length === 0 },
      ...(children ?? []).toSorted(byName).flatMap((child) => visible(child.id, child.name, level + 1)),
    ];
  };
  return {
    nodes: visible(root.id, root.name, 1),
    setOpen: (id: string, open: boolean) => setToggled(new Map(toggled).set(id, open)),
  };
}
