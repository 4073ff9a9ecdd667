/** A folder of an archive, by its name there. */
export interface ArchiveFolder {
  name: string;
  /** Null = the top of the archive. */
  above: ArchiveFolder | null;
}

/** Returns the path of a folder, with a `/` at its end; '' for the top of the archive. */
export type FolderPath = (folder: ArchiveFolder | null) => string;

/**
 * Creates a function that caches only the last path: the paths of all folders would take far more memory than their
 * names, since each repeats those of the folders above.
 */
export function createFolderPath(): FolderPath {
  let last: { folder: ArchiveFolder | null; path: string } = { folder: null, path: '' };
  return (folder) => {
    if (folder === last.folder) return last.path;
    const names: string[] = [''];
    for (let at = folder; at; at = at.above) names.push(at.name);
    last = { folder, path: names.reverse().join('/') };
    return last.path;
  };
}
