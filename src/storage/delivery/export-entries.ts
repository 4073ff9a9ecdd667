import { type GiveWay, groupsInSlices } from '../../kernel/time-slices.ts';
import type { TreeFile, TreeFolder } from '../tree/folders/subtree.ts';
import { type ArchiveFolder, createFolderPath, type FolderPath } from './zip/folder-path.ts';
import { archiveNames } from './zip/names.ts';
import type { ZipEntry } from './zip/zip.ts';

/** A member of the ZIP file of a folder. */
export interface ExportEntry extends ZipEntry {
  sha256: string;
  blobKey: string;
}

/** The fields of a member except its path. */
type Facts = Omit<ExportEntry, 'path'>;

interface Place {
  folder: ArchiveFolder | null;
  /** '' = the folder itself. */
  name: string;
}

/** A class, since a getter on the prototype takes no memory per member. */
class Member implements ExportEntry {
  readonly size: number;
  readonly crc32: number;
  readonly modified: number;
  readonly sha256: string;
  readonly blobKey: string;
  readonly #place: Place;
  readonly #pathOf: FolderPath;

  constructor(facts: Facts, place: Place, pathOf: FolderPath) {
    this.size = facts.size;
    this.crc32 = facts.crc32;
    this.modified = facts.modified;
    this.sha256 = facts.sha256;
    this.blobKey = facts.blobKey;
    this.#place = place;
    this.#pathOf = pathOf;
  }

  get path(): string {
    return `${this.#pathOf(this.#place.folder)}${this.#place.name}`;
  }
}

const EMPTY = { size: 0, crc32: 0, sha256: '', blobKey: '' };

/** Returns the entries in order: a folder's files, then its folders, each by age. */
export async function arrange(
  rootId: string,
  folders: readonly TreeFolder[],
  filesByFolder: ReadonlyMap<string, readonly TreeFile[]>,
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
      [
        ...children.map(({ name }) => ({ name, isFolder: true })),
        ...own.map((file) => ({ name: file.original_name, isFolder: false })),
      ],
      folder === null,
      giveWay,
    );
    if (names.length === 0)
      entries.push(new Member({ ...EMPTY, modified: dateCreated }, { folder, name: '' }, pathOf));
    let index = children.length;
    for await (const group of groupsInSlices(own, giveWay))
      for (const file of group)
        entries.push(new Member(factsOf(file), { folder, name: names[index++] ?? '' }, pathOf));
    // Pushed in reverse, since the stack is last in, first out.
    for (const [index, child] of [...children.entries()].reverse()) {
      const inArchive = { name: names[index] ?? '', above: folder };
      waiting.push({ id: child.id, folder: inArchive, dateCreated: child.date_created });
    }
  }
  return entries;
}

function factsOf(file: TreeFile): Facts {
  return {
    size: file.size_bytes,
    crc32: file.crc32,
    modified: file.date_modified,
    sha256: file.sha256,
    blobKey: file.blob_key,
  };
}
