/** Returns the files of a drop, including those in dropped folders. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...files];
  const found: File[] = [];
  async function add(entry: FileSystemEntry | null): Promise<void> {
    if (entry?.isFile) {
      const { promise, resolve, reject } = Promise.withResolvers<File>();
      (entry as FileSystemFileEntry).file(resolve, reject);
      found.push(await promise);
    } else if (entry?.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (let more = [entry]; more.length > 0; ) {
        const { promise, resolve, reject } = Promise.withResolvers<FileSystemEntry[]>();
        reader.readEntries(resolve, reject);
        more = await promise;
        for (const child of more) await add(child);
      }
    }
  }
  for (const entry of entries) await add(entry);
  return found;
}
