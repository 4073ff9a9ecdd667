/**
 * Maximum length of the names in a stored place, in bytes of JSON. Without it, each deletion of an empty file below 300
 * folders with long names would store more than 100 KB, which no quota counts.
 */
export const MAX_NAMES_BYTES = 16_384;

/**
 * Returns the lowest folders of a place, as many as have `MAX_NAMES_BYTES` of names together. While they exist, this
 * changes nothing; otherwise they are created again below the root.
 */
export function boundPlace<Folder extends { name: string }>(folders: readonly Folder[]): Folder[] {
  let left = MAX_NAMES_BYTES;
  const lastDropped = folders.findLastIndex(({ name }) => {
    left -= Buffer.byteLength(JSON.stringify(name));
    return left < 0;
  });
  return folders.slice(lastDropped + 1);
}
