/** Maximum length of the paths of a page, in UTF-16 code units: enough for a hundred usual ones many times over. */
const MAX_LENGTH = 262_144;

/** Returns the first results whose paths fit into the maximum length together: at least one. */
export function withinLength<Found extends { path: readonly string[] }>(all: readonly Found[]): Found[] {
  let length = 0;
  const end = all.findIndex(({ path }) => {
    for (const name of path) length += name.length;
    return length > MAX_LENGTH;
  });
  return end === -1 ? [...all] : all.slice(0, Math.max(end, 1));
}
