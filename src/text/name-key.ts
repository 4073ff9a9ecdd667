/** Returns the same key for names that differ only in letter case or Unicode composition. */
export function nameKey(name: string): string {
  if (/^\p{ASCII}*$/u.test(name)) return name.toLowerCase();
  // Lower case first, since upper case leaves “ẞ” unchanged; then upper case, which expands “ß” and the ligatures; then
  // lower case again. This turns a sigma at the end of a word into a final sigma, which must match the others.
  return name
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}
