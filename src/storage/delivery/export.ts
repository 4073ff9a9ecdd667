import { chunksIn } from '../../kernel/content.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { ShortRequests } from '../../kernel/event-loop/short-requests.ts';
import { createTimeSlices, type GiveWay, groupsInSlices } from '../../kernel/event-loop/time-slices.ts';
import { newId } from '../../kernel/ids.ts';
import type { Blobs } from '../blobs/port.ts';
import {
  type Chosen,
  pagesOfFiles,
  pagesOfFolders,
  readerForTree,
  type TreeFile,
  type TreeFolder,
} from '../tree/folders/subtree.ts';
import type { FoundRow } from '../tree/found-row.ts';
import { arrange, type ExportEntry, exportEntryOf } from './export-entries.ts';
import type { HoldForExport } from './export-holds.ts';
import { createSharedExports, type Layout, type MemberCount } from './shared-exports.ts';
import { type Chunks, layOutZip, type Zip, zipTag } from './zip/zip.ts';

/** A folder as a ZIP file. */
export interface FolderExport extends Zip, Layout {
  /** Strong entity tag, with its quotes. */
  etag: string;
}

/** Time for which a layout occupies the event loop without a break. */
const SLICE_MS = 1;

/**
 * Lays out files as ZIP files from the rows alone; bytes are read when they are sent. The results are null when there
 * is no file. The errors are PathTooLong when a path exceeds the limit of the format, and Problem 409
 * `folder_too_large`.
 */
export interface Exports {
  /** A folder and its subfolders. Paths are relative to the folder; empty folders have an entry. */
  folder(folder: FoundRow, chosen?: Chosen): Promise<FolderExport | null>;
  /** Files of a workspace, without folders. */
  files(workspaceId: string, files: readonly TreeFile[]): Promise<FolderExport | null>;
}

interface ExportsDeps {
  database: Database;
  blobs: Pick<Blobs, 'read'>;
  hold: HoldForExport;
  shortRequests: Pick<ShortRequests, 'areRecent'>;
  /** Maximum number of files and folders of one ZIP file. */
  longest?: number;
}

/** The content of a ZIP file. */
interface ExportContent {
  folders: readonly TreeFolder[];
  /** By folder. */
  files: ReadonlyMap<string, readonly ExportEntry[]>;
  /** Number of files and folders. */
  count: number;
}

/** All exports share the time slices into which the work is divided. */
export function createExports({ database, blobs, hold, shortRequests, longest }: ExportsDeps): Exports {
  const giveWay = createTimeSlices({ shortRequests, ms: SLICE_MS });
  const shared = createSharedExports<FolderExport>(longest);

  async function layOut(
    root: FoundRow,
    { folders, files, count }: ExportContent,
  ): Promise<FolderExport | null> {
    if (files.size === 0) return null;
    const entries = await arrange(root.id, folders, files, giveWay);
    const open = async ({ blobKey, size }: ExportEntry, start: number, end: number) =>
      chunksIn(await blobs.read(blobKey, size, { start, end, isTransient: true }));
    const zip = await layOutZip(entries, open, giveWay);
    const etag = await zipTag(entries, giveWay);
    const layout: FolderExport = {
      length: zip.length,
      etag,
      key: `${etag} ${await hashOfBlobs(entries, giveWay)}`,
      count,
      async *read(start, end) {
        const ended = shared.begin(root.workspaceId, layout);
        try {
          yield* readHeld(() => hold(root.workspaceId), zip.read(start, end));
        } finally {
          ended();
        }
      },
    };
    return layout;
  }

  return {
    folder: ({ id, workspaceId }, chosen = 'all') =>
      shared.share({ workspaceId, target: `${id} ${chosen}` }, async (members) => {
        const reader = await readerForTree(database, { id, workspaceId });
        const folders: TreeFolder[] = [];
        for await (const page of pagesOfFolders(reader, id)) {
          members.addFolders(page.length);
          folders.push(...page);
        }
        // A page of all files is a short range of an index: reading it here costs less than transferring it from a
        // child process.
        const isShort = database.kind === 'sqlite' && chosen === 'all';
        const pages = pagesOfFiles(isShort ? database.read : reader, folders, chosen);
        const files = await readFiles(pages, members, giveWay);
        return await layOut({ id, workspaceId }, { folders, files, count: members.count });
      }),
    files(workspaceId, files) {
      const root = { id: '', workspaceId };
      // Not shared with other requests: the files may have changed since those read them.
      return shared.share({ workspaceId, target: newId() }, async ({ add }) => {
        add(files.length);
        const byFolder = new Map(files.length === 0 ? [] : [['', files.map(exportEntryOf)]]);
        return await layOut(root, { folders: [], files: byFolder, count: files.length });
      });
    },
  };
}

/** A file may be deleted, and its trash erased, while the archive is read. */
async function* readHeld(hold: () => Promise<() => Promise<void>>, chunks: Chunks): Chunks {
  const release = await hold();
  try {
    yield* chunks;
  } finally {
    await release();
  }
}

/** Returns the files of each folder, by age. */
async function readFiles(
  pages: AsyncIterable<readonly TreeFile[]>,
  members: Pick<MemberCount, 'add'>,
  giveWay: GiveWay,
): Promise<Map<string, ExportEntry[]>> {
  const files = new Map<string, ExportEntry[]>();
  for await (const page of pages) {
    members.add(page.length);
    for (const file of page) {
      const own = files.get(file.folder_id);
      if (own) own.push(exportEntryOf(file));
      else files.set(file.folder_id, [exportEntryOf(file)]);
    }
    await giveWay();
  }
  return files;
}

/** Returns a hash of the blob keys, which may differ even if the bytes are equal. */
async function hashOfBlobs(entries: readonly ExportEntry[], giveWay: GiveWay): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const group of groupsInSlices(entries, giveWay))
    hash.update(group.map(({ blobKey }) => `${blobKey} `).join(''));
  return hash.digest('base64url');
}
