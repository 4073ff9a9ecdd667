import type { Database } from '../../kernel/database/database.ts';
import type { BlobBody, Blobs } from '../blobs/port.ts';
import { subtree } from '../tree/subtree.ts';
import { archiveNames } from './zip/names.ts';
import { layOutZip, type Zip, type ZipEntry, zipTag } from './zip/zip.ts';

/** A folder as a ZIP file, at one moment. */
export interface FolderExport extends Zip {
  /** Strong, with its quotes. */
  etag: string;
}

const READ_AT_ONCE = 262_144;

/**
 * Lays out a folder and its subfolders as a ZIP file from the rows alone; bytes are read when they are sent. Paths
 * are relative to the folder; empty folders have an entry. Reads two tables once each. Returns null when there is
 * no file.
 * @throws PathTooLong when a path exceeds the limit of the format
 */
export type Exports = (folderId: string) => Promise<FolderExport | null>;

export function createExports({ database, blobs }: { database: Database; blobs: Blobs }): Exports {
  return async (folderId) => {
    // Files first: otherwise a file moved here in the meantime could appear without its folder.
    const files = await readFiles(database, folderId);
    if (files.length === 0) return null;
    const entries = arrange(folderId, await readFolders(database, folderId), files);
    const zip = layOutZip(entries, async ({ blobKey, size }, start, end) =>
      chunksOf(await blobs.read(blobKey, size, { start, end })),
    );
    return { ...zip, etag: zipTag(entries) };
  };
}

/** Reads a small file as one chunk, which is faster than a stream. */
async function chunksOf(body: BlobBody): Promise<AsyncIterable<Uint8Array>> {
  if (!(body instanceof Blob)) return body;
  if (body.size > READ_AT_ONCE) return body.stream();
  const bytes = await body.bytes();
  return (async function* () {
    yield bytes;
  })();
}

type FileRow = Awaited<ReturnType<typeof readFiles>>[number];
type FolderRow = Awaited<ReturnType<typeof readFolders>>[number];

interface ExportEntry extends ZipEntry {
  sha256: string;
  blobKey: string;
}

async function readFolders(database: Database, folderId: string) {
  return await subtree(database.read, folderId).selectFrom('tree').selectAll().execute();
}

async function readFiles(database: Database, folderId: string) {
  return await subtree(database.read, folderId)
    .selectFrom('files')
    .innerJoin('tree', 'tree.id', 'files.folder_id')
    .select([
      'files.id',
      'folder_id',
      'original_name',
      'size_bytes',
      'crc32',
      'sha256',
      'blob_key',
      'date_modified',
    ])
    .where('deleted_at', 'is', null)
    .execute();
}

/** Orders the entries: a folder's files, then its folders, each by id and thus by age. */
function arrange(rootId: string, folders: readonly FolderRow[], files: readonly FileRow[]): ExportEntry[] {
  const foldersByParent = Map.groupBy(folders.toSorted(byId), ({ parent_id }) => parent_id);
  const filesByFolder = Map.groupBy(files.toSorted(byId), ({ folder_id }) => folder_id);
  const entries: ExportEntry[] = [];
  const waiting: { id: string; path: string; dateCreated: number }[] = [
    { id: rootId, path: '', dateCreated: 0 },
  ];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const { id, path } = folder;
    const children = foldersByParent.get(id) ?? [];
    const own = filesByFolder.get(id) ?? [];
    const names = archiveNames(
      [
        ...children.map(({ name }) => ({ name, isFolder: true })),
        ...own.map((file) => ({ name: file.original_name, isFolder: false })),
      ],
      path === '',
    );
    if (names.length === 0)
      entries.push({ path, size: 0, crc32: 0, modified: folder.dateCreated, sha256: '', blobKey: '' });
    own.forEach((file, index) => {
      entries.push({
        path: `${path}${names[children.length + index]}`,
        size: file.size_bytes,
        crc32: file.crc32,
        modified: file.date_modified,
        sha256: file.sha256,
        blobKey: file.blob_key,
      });
    });
    // The stack is last in, first out.
    for (const [index, child] of [...children.entries()].reverse()) {
      waiting.push({ id: child.id, path: `${path}${names[index]}/`, dateCreated: child.date_created });
    }
  }
  return entries;
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
