import { type GiveWay, groupsInSlices } from '../../kernel/event-loop/time-slices.ts';
import type { TreeFile, TreeFolder } from '../tree/folders/subtree.ts';
import { type ArchiveFolder, createFolderPath, type FolderPath } from './zip/folder-path.ts';
import { archiveNames, type NamedChild } from './zip/names.ts';
import type { ZipEntry } from './zip/zip.ts';

interface EntryFields extends Omit<ZipEntry, 'path'> {
  /** '' = an empty folder itself. */
  name: string;
  sha256: string;
  blobKey: string;
}

/**
 * A file, or an empty folder, in the ZIP file of a folder. A class, since getters on the prototype take no memory per
 * entry.
 */
export class ExportEntry implements ZipEntry, NamedChild {
  readonly size: number;
  readonly crc32: number;
  readonly modified: number;
  readonly sha256: string;
  readonly blobKey: string;
  #name: string;
  #folder: ArchiveFolder | null = null;
  #pathOf: FolderPath = () => '';

  constructor(fields: EntryFields) {
    this.size = fields.size;
    this.crc32 = fields.crc32;
    this.modified = fields.modified;
    this.sha256 = fields.sha256;
    this.blobKey = fields.blobKey;
    this.#name = fields.name;
  }

  get name(): string {
    return this.#name;
  }

  get isFolder(): boolean {
    return false;
  }

  get path(): string {
    return `${this.#pathOf(this.#folder)}${this.#name}`;
  }

  /** Sets its path in the archive. */
  place(name: string, folder: ArchiveFolder | null, pathOf: FolderPath): void {
    this.#name = name;
    this.#folder = folder;
    this.#pathOf = pathOf;
  }
}

export function exportEntryOf(file: TreeFile): ExportEntry {
  return new ExportEntry({
    name: file.original_name,
    size: file.size_bytes,
    crc32: file.crc32,
    modified: file.date_modified,
    sha256: file.sha256,
    blobKey: file.blob_key,
  });
}

const EMPTY_FOLDER = { name: '', size: 0, crc32: 0, sha256: '', blobKey: '' };

/** Places the entries in the archive and returns them in order: a folder's files, then its folders, each by age. */
export async function arrange(
  rootId: string,
  folders: readonly TreeFolder[],
  filesByFolder: ReadonlyMap<string, readonly ExportEntry[]>,
  giveWay: GiveWay,
): Promise<ExportEntry[]> {
  const foldersByParent = Map.groupBy(folders, ({ parent_id }) => parent_id);
  const pathOf = createFolderPath();
  const entries: ExportEntry[] = [];
  const waiting: { id: string; folder: ArchiveFolder | null; dateCreated: number }[] = [
    { id: rootId, folder: null, dateCreated: 0 },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, folder, dateCreated } = next;
    const children = foldersByParent.get(id) ?? [];
    const own = filesByFolder.get(id) ?? [];
    const names = await archiveNames(
      [...children.map(({ name }) => ({ name, isFolder: true })), ...own],
      folder === null,
      giveWay,
    );
    const placed = names.length === 0 ? [new ExportEntry({ ...EMPTY_FOLDER, modified: dateCreated })] : own;
    let index = children.length;
    for await (const group of groupsInSlices(placed, giveWay)) {
      for (const entry of group) {
        entry.place(names[index++] ?? '', folder, pathOf);
        entries.push(entry);
      }
    }
    // Pushed in reverse, since the stack is last in, first out.
    for (const [index, child] of [...children.entries()].reverse()) {
      const inArchive = { name: names[index] ?? '', above: folder };
      waiting.push({ id: child.id, folder: inArchive, dateCreated: child.date_created });
    }
  }
  return entries;
}
