/**
 * Sorts the folders of a tree so that each follows its parent, and its descendants precede its next sibling. The
 * parents of consecutive folders are then among them, or are ancestors of the first.
 * @param folders siblings in their order; those that are not below the root are left out
 */
export function inPreorder<Folder extends { id: string; parent_id: string | null }>(
  folders: readonly Folder[],
  rootId: string,
): Folder[] {
  const children = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const sorted: Folder[] = [];
  const open = folders.filter(({ id }) => id === rootId);
  for (let folder = open.pop(); folder; folder = open.pop()) {
    sorted.push(folder);
    for (const child of children.get(folder.id)?.toReversed() ?? []) open.push(child);
  }
  return sorted;
}
