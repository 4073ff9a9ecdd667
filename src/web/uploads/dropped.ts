/** A file that a person chose, and the folders that it lay in. */
export interface Chosen {
  file: File;
  path: string[];
}

/** What was dropped: files, and folders that hold none. */
export interface Dropped {
  files: Chosen[];
  emptyFolders: string[][];
}

/**
 * Reads dropped files and whole folders (https://wicg.github.io/entries-api/). Must be called within the drop event:
 * afterwards the browser empties the list.
 */
export function readDropped(transfer: DataTransfer): Promise<Dropped> {
  const entries = [...transfer.items]
    .map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
    .filter((entry) => entry !== null);
  const loose = entries.length === 0 ? [...transfer.files] : [];
  return gather(entries, loose);
}

async function gather(entries: readonly FileSystemEntry[], loose: readonly File[]): Promise<Dropped> {
  const dropped: Dropped = { files: loose.map((file) => ({ file, path: [] })), emptyFolders: [] };
  const visit = async (entry: FileSystemEntry, path: string[]): Promise<void> => {
    if (isFile(entry)) {
      dropped.files.push({ file: await fileOf(entry), path });
      return;
    }
    if (!isFolder(entry)) return;
    const inner = await childrenOf(entry);
    const innerPath = [...path, entry.name];
    if (inner.length === 0) dropped.emptyFolders.push(innerPath);
    for (const child of inner) await visit(child, innerPath);
  };
  for (const entry of entries) await visit(entry, []);
  return dropped;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives its entries in portions (Chromium: 100), and an empty one at the end. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return children;
    children.push(...portion);
  }
}

/** What an input with `webkitdirectory` gives: paths of the form `folder/inner/name`. */
export function readChosen(list: FileList): Chosen[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
}
