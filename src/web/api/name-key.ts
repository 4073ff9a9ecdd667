/** Returns the same key for names that the server treats as one (`nameKey` of `storage/tree/names.ts`). */
export const nameKey = (name: string) =>
  name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
