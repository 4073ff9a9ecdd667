/** A file to upload, and the names of the folders that contain it. */
export interface PickedFile {
  file: File;
  path: string[];
}

/** Dropped files, and folders without files. */
export interface PickedFiles {
  files: PickedFile[];
  emptyFolders: string[][];
}

/**
 * Reads dropped files and folders (https://wicg.github.io/entries-api/). Must be called synchronously in the drop
 * event, because the browser clears the list afterwards.
 */
export function readDrop(transfer: DataTransfer): Promise<PickedFiles> {
  const entries = [...transfer.items]
    .map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
    .filter((entry) => entry !== null);
  const loose = entries.length === 0 ? [...transfer.files] : [];
  return gather(entries, loose);
}

async function gather(entries: readonly FileSystemEntry[], loose: readonly File[]): Promise<PickedFiles> {
  const dropped: PickedFiles = { files: loose.map((file) => ({ file, path: [] })), emptyFolders: [] };
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

/** Reads all entries; a reader returns them in batches (Chromium: 100), and an empty one at the end. */
async function childrenOf(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

/** Reads the files of an input. With `webkitdirectory`, paths have the form `folder/inner/name`. */
export function readFileInput(list: FileList): PickedFile[] {
  return [...list].map((file) => ({ file, path: file.webkitRelativePath.split('/').slice(0, -1) }));
}
