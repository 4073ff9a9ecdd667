import { createTimeSlices, type GiveWay, groupsInSlices } from '../../../kernel/event-loop/time-slices.ts';
import { nameKey } from '../../../text/name-key.ts';
import { numberedName } from '../../tree/names.ts';

/** A child of one folder of the archive. */
export interface NamedChild {
  name: string;
  isFolder: boolean;
}

// Characters that unpacking programs may interpret: separators, and those that end or garble a line.
const UNSAFE = /[/\\\p{Cc}]/gu;
const DRIVE = /^([A-Za-z]):/;

/**
 * Returns a path segment for each child of a folder, in their order. All differ even on file systems that ignore letter
 * case and Unicode form, where they would overwrite each other. The first child with a name keeps it, the others are
 * numbered: `a.txt`, `a (2).txt`. In segments that would lead out of the folder (`..`, separators, a drive letter)
 * these characters are percent-encoded, before the names are compared.
 * @param children folders before files, in a stable order, so that the names are the same each time
 * @param isTop true in the archive's own folder, where a drive letter would begin the path
 */
export async function archiveNames(
  children: readonly NamedChild[],
  isTop: boolean,
  giveWay = createTimeSlices(),
): Promise<string[]> {
  const taken = new Set<string>();
  const names: string[] = [];
  const duplicates: number[] = [];
  for await (const group of groupsInSlices(children, giveWay)) {
    for (const { name } of group) {
      const safe = safeSegment(name, isTop);
      const key = nameKey(safe);
      if (taken.has(key)) duplicates.push(names.length);
      taken.add(key);
      names.push(safe);
    }
  }
  const numbered = createNumbering(taken);
  for (const index of duplicates) {
    const isFolder = children[index]?.isFolder ?? false;
    names[index] = await numbered(names[index] ?? '', isFolder, giveWay);
  }
  return names;
}

/**
 * Returns a function that returns a name with the lowest free number. Long names that differ only at their
 * end are equal once they are shortened for a number of some digits, so the next number is kept for the
 * shortened name. Trying all numbers again for each name would take time that grows with the square of the
 * number of names.
 * @param taken keys of the names in use; the new name is added
 */
function createNumbering(taken: Set<string>) {
  const next = new Map<string, number>();
  return async (name: string, isFolder: boolean, giveWay: GiveWay): Promise<string> => {
    for (let [first, end] = [2, 10]; ; [first, end] = [end, end * 10]) {
      const shortened = nameKey(numberedName(name, first, isFolder));
      for (let number = next.get(shortened) ?? first; number < end; number++) {
        await giveWay();
        next.set(shortened, number + 1);
        const candidate = numberedName(name, number, isFolder);
        const key = nameKey(candidate);
        if (taken.has(key)) continue;
        taken.add(key);
        return candidate;
      }
    }
  };
}

function safeSegment(name: string, isTop: boolean): string {
  const whole = name.toWellFormed();
  // Some programs remove spaces at the end of a name.
  if (/^\.{0,2} *$/.test(whole)) return whole === '' ? '%' : whole.replaceAll('.', '%2E');
  const plain = whole.replace(
    UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return isTop ? plain.replace(DRIVE, '$1%3A') : plain;
}
