/** Names of metadata that protect or publish a file. */
const PROTECTING = ['filepassword', 'accesskey', 'visibility'];
/** Names that other services use for these. */
const SYNONYMS = new Set(['password', 'access_key', 'expires']);
const NEAR = 2;

/** Reports whether a name protects or publishes a file. */
export function isProtecting(name: string): boolean {
  return PROTECTING.includes(name.toLowerCase());
}

/** Reports whether a name is so close to one that protects a file that it is taken for a misspelling. */
export function isMisspelt(name: string): boolean {
  const given = name.toLowerCase();
  return SYNONYMS.has(given) || PROTECTING.some((known) => known !== given && distance(known, given) <= NEAR);
}

/** The least number of letters to insert, delete or change (Levenshtein), or any number above `NEAR`. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > NEAR) return NEAR + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
