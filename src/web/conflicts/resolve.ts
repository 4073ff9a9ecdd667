import { PosthouseError } from '../../client/index.ts';
import type { Ask, Choice, Conflict } from './questions.ts';

/** The `onConflict` of a request. */
export type OnConflict = Exclude<Choice, 'skip'> | 'fail';

/** Reports whether a request failed because another item has the name. */
export const isNameTaken = (error: unknown) => error instanceof PosthouseError && error.code === 'name_taken';

/**
 * Makes a request, and repeats it as the person chooses while the name is taken. Returns null when the item is skipped.
 * @throws the other errors of the request
 */
export async function resolveConflict<Result>(
  ask: Ask,
  conflict: Conflict,
  request: (onConflict: OnConflict) => Promise<Result>,
): Promise<Result | null> {
  for (let onConflict: OnConflict = 'fail'; ; ) {
    try {
      return await request(onConflict);
    } catch (error) {
      if (!isNameTaken(error)) throw error;
    }
    const choice = await ask(conflict);
    if (choice === 'skip') return null;
    onConflict = choice;
  }
}
