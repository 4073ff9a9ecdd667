const AT_ONCE = 4;

/**
 * Calls `work` with each item, of four items at the same time. After a failure, begins no other item, waits for the
 * running calls, and throws the failure.
 */
export async function inParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let isFailed = false;
  const worker = async () => {
    try {
      for (let next = await waiting.next(); !next.done && !isFailed; next = await waiting.next())
        await work(next.value);
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  // Closes the file that the items come from.
  await waiting.return?.();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
