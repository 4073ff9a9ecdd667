/** Returns the first items whose sizes add up to at most `most`: at least one, if there is any. */
export function firstWithin<Item>(
  items: readonly Item[],
  most: number,
  sizeOf: (item: Item) => number,
): readonly Item[] {
  let sum = 0;
  const end = items.findIndex((item, index) => {
    sum += sizeOf(item);
    return index > 0 && sum > most;
  });
  return end < 0 ? items : items.slice(0, end);
}
