import { countOf } from '../formats.ts';

const files = (count: number) => countOf(count, 'file', 'files');
const folders = (count: number) => countOf(count, 'folder', 'folders');
const items = (count: number) => countOf(count, 'item', 'items');

export const fileTexts = {
  title: 'Files',
  root: 'My files',
  trash: 'Trash',
  path: 'Folder path',
  tree: 'Folders',
  noStorage: 'This server does not store files',
  noStorageText: 'The storage service is disabled.',
  upload: 'Upload',
  uploadFiles: 'Upload files',
  uploadFolder: 'Upload folder',
  newFolder: 'New folder',
  newFolderName: 'Folder name',
  search: 'Search this folder',
  sort: 'Sort by',
  columns: { name: 'Name', size: 'Size', date: 'Added', type: 'Type' },
  ascending: 'Ascending',
  descending: 'Descending',
  view: 'View',
  list: 'List',
  grid: 'Grid',
  listing: (name: string) => `Contents of ${name}`,
  actionsColumn: 'Actions',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all',
  selected: (count: number) => `${count.toLocaleString()} selected`,
  clearSelection: 'Clear selection',
  emptyTitle: 'This folder is empty',
  emptyText: 'Drop files or folders here, or use the upload button.',
  noMatchTitle: 'No matches',
  noMatchText: (search: string) => `No name in this folder contains “${search}”.`,
  missingTitle: 'Folder not found',
  missingText: 'It was deleted, or you do not have access to it.',
  dropHere: (name: string) => `Drop to upload into “${name}”`,
  loaded: (count: number) => `Loaded ${files(count)} …`,
  public: 'Public: anyone with the link can open it',
  locked: 'Protected by a password',
  keyed: 'Protected by an access key',
  actions: {
    open: 'Open',
    preview: 'Preview',
    details: 'Share and details',
    download: 'Download',
    rename: 'Rename',
    move: 'Move',
    replace: 'Replace content',
    delete: 'Delete',
    zip: 'Download as ZIP',
  },
  rename: (name: string) => `Rename “${name}”`,
  moveTitle: (count: number, name: string) =>
    count === 1 ? `Move “${name}” to …` : `Move ${items(count)} to …`,
  moveHere: (name: string) => `Move to “${name}”`,
  moved: (count: number, name: string, folder: string) =>
    count === 1 ? `Moved “${name}” to “${folder}”` : `Moved ${items(count)} to “${folder}”`,
  noFolders: 'No folders here',
  parentFolder: 'Parent folder',
  deleted: (count: number, name: string) => (count === 1 ? `Deleted “${name}”` : `Deleted ${files(count)}`),
  restored: (count: number) => (count === 1 ? 'File restored' : `Restored ${files(count)}`),
  deleteFolders: (count: number, name: string) =>
    count === 1 ? `Delete folder “${name}”?` : `Delete ${folders(count)}?`,
  deleteFoldersText: (fileCount: number, size: string) =>
    fileCount === 0
      ? 'The folder is empty.'
      : `This deletes ${files(fileCount)} (${size}). The files can be restored from the trash, but the ` +
        'folders are lost.',
  failed: (count: number, reason: string) => `${items(count)} failed: ${reason}`,
  usage: {
    label: 'Space used',
    text: (used: string, all: string) => `${used} of ${all}`,
    left: (left: string) => `${left} left`,
    full: 'Full: delete files to upload more',
  },
  preview: {
    next: 'Next',
    previous: 'Previous',
    none: 'No preview for this file type.',
    truncated: (shown: string) => `Only the first ${shown} are shown.`,
    failed: 'The preview failed. You can download the file.',
  },
  trashHint: 'Deleted files are kept for some days.',
  trashEmpty: 'The trash is empty',
  trashEmptyText: 'Deleted files appear here until they are removed permanently.',
  restore: 'Restore',
  restoreItem: (name: string) => `Restore ${name}`,
  deletedAt: 'deleted',
} as const;
