import { createTimeSlices, groupsInSlices } from '../../../kernel/time-slices.ts';
import { nameKey, numberedName } from '../../tree/names.ts';

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
  const duplicates: { index: number; key: string }[] = [];
  for await (const group of groupsInSlices(children, giveWay)) {
    for (const { name } of group) {
      const safe = safeSegment(name, isTop);
      const key = nameKey(safe);
      if (taken.has(key)) duplicates.push({ index: names.length, key });
      taken.add(key);
      names.push(safe);
    }
  }
  const nextNumbers = new Map<string, number>();
  for (const { index, key } of duplicates) {
    const first = names[index] ?? '';
    for (let number = nextNumbers.get(key) ?? 2; ; number++) {
      await giveWay();
      const candidate = numberedName(first, number, children[index]?.isFolder ?? false);
      const candidateKey = nameKey(candidate);
      if (taken.has(candidateKey)) continue;
      nextNumbers.set(key, number + 1);
      taken.add(candidateKey);
      names[index] = candidate;
      break;
    }
  }
  return names;
}

function safeSegment(name: string, isTop: boolean): string {
  const whole = name.toWellFormed();
  if (/^\.{0,2}$/.test(whole)) return whole === '' ? '%' : whole.replaceAll('.', '%2E');
  const plain = whole.replace(
    UNSAFE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return isTop ? plain.replace(DRIVE, '$1%3A') : plain;
}
