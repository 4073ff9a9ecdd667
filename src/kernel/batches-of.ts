/** Returns the items in batches of `size`, the last of which may be smaller. */
export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
