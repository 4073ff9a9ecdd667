/**
 * Yields the folders below a folder, so that each follows its parent, and its descendants precede its next sibling. The
 * parents of consecutive folders are then among them, or are ancestors of the first.
 * @param children siblings in their order, by the id of their parent
 */
export function* inPreorder<Folder extends { id: string }>(
  children: ReadonlyMap<string | null, readonly Folder[]>,
  rootId: string,
): Generator<Folder, void, undefined> {
  const open = children.get(rootId)?.toReversed() ?? [];
  for (let folder = open.pop(); folder; folder = open.pop()) {
    yield folder;
    for (const child of children.get(folder.id)?.toReversed() ?? []) open.push(child);
  }
}
