import { countOf } from '../formats.ts';
import { notifyError } from './notify.tsx';
import { texts } from './texts.ts';

/** Maximum number of concurrent requests. */
const MAX_REQUESTS = 6;

/**
 * Runs `work` for all items, reports failures together, and returns the results of the items that succeeded.
 * @param atOnce maximum number of items at a time
 */
export async function runAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = MAX_REQUESTS,
): Promise<Result[]> {
  const queue = [...items];
  const results: Result[] = [];
  const errors: Error[] = [];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        results.push(await work(item));
      } catch (error) {
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const [first] = errors;
  if (first && errors.length === 1) notifyError(first);
  else if (first) notifyError(new Error(texts.someFailed(countOf(errors.length, 'item'), first.message)));
  return results;
}
