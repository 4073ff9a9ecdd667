import { randomInt } from 'node:crypto';
import type { Transaction } from '../../kernel/database/database.ts';
import { nameKey } from '../../text/name-key.ts';
import { numberedName } from './names.ts';
import { nameTaken } from './siblings.ts';

/** Returns “name (2).ext”, or the next number that no file of the folder has. */
export async function numberedFileName(trx: Transaction, folderId: string, name: string): Promise<string> {
  return await firstFree(name, false, (keys) =>
    trx
      .selectFrom('files')
      .select('name_key')
      .where('folder_id', '=', folderId)
      .where('name_key', 'in', keys)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}

/** Returns “name (2)”, or the next number that no subfolder has. */
export async function numberedFolderName(trx: Transaction, parentId: string, name: string): Promise<string> {
  return await firstFree(name, true, (keys) =>
    trx
      .selectFrom('folders')
      .select('name_key')
      .where('parent_id', '=', parentId)
      .where('name_key', 'in', keys)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}

/** Number of candidates that one query looks up. */
const CANDIDATES = 10;
/** Number of doublings, up to ten million. */
const DOUBLINGS = 20;
const MAX_RANDOM = 2 ** 31;

/**
 * Returns the name with the first free number or, among many taken names, with a free number after a taken one: the
 * number is doubled until it is free, and then narrowed down, which takes a dozen look-ups for millions.
 */
export async function firstFree(
  name: string,
  isFolder: boolean,
  taken: (keys: string[]) => Promise<{ name_key: string }[]>,
): Promise<string> {
  const freeOf = async (numbers: readonly number[]) => {
    const candidates = numbers.map((number) => ({ number, name: numberedName(name, number, isFolder) }));
    const rows = await taken(candidates.map((candidate) => nameKey(candidate.name)));
    const keys = new Set(rows.map(({ name_key }) => name_key));
    return candidates.find((candidate) => !keys.has(nameKey(candidate.name)));
  };

  let free = await freeOf(Array.from({ length: CANDIDATES }, (_, index) => index + 2));
  if (free) return free.name;
  let last = CANDIDATES + 1;
  const doubled = Array.from({ length: DOUBLINGS }, (_, index) => last * 2 ** (index + 1));
  // Someone may have taken exactly the doubled numbers.
  const others = Array.from({ length: CANDIDATES }, () => randomInt(MAX_RANDOM));
  free = (await freeOf(doubled)) ?? (await freeOf(others));
  if (!free) throw nameTaken(isFolder ? 'folder' : 'file');
  last = Math.max(last, doubled[doubled.indexOf(free.number) - 1] ?? 0);
  while (free.number - last > 1) {
    const between = evenlyBetween(last, free.number);
    const found = await freeOf(between);
    last = found ? (between[between.indexOf(found.number) - 1] ?? last) : (between.at(-1) ?? last);
    free = found ?? free;
  }
  return free.name;
}

/** Returns up to `CANDIDATES` whole numbers between two others, in ascending order. */
function evenlyBetween(low: number, high: number): number[] {
  const step = Math.max(1, Math.floor((high - low) / (CANDIDATES + 1)));
  const count = Math.min(CANDIDATES, high - low - 1);
  return Array.from({ length: count }, (_, index) => low + (index + 1) * step);
}
