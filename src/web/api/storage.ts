import { call, nextPage, send } from './http.ts';

export interface FileItem {
  id: string;
  originalName: string;
  sizeBytes: number;
  mimeType: string;
  /** 0 = private, 1 = public. */
  visibility: 0 | 1;
  dateCreated: string;
  dateModified: string;
  thumbnailPath: string | null;
  hasFilePassword: boolean;
  hasAccessKey: boolean;
  folderId: string;
  workspaceId: string;
  sha256: string;
  expiresAt: string | null;
  maxDownloads: number | null;
  downloadCount: number;
}

export interface FileMetadata extends FileItem {
  accessKeyPlain?: string;
  directToken: string;
  uiToken: string;
}

export interface Folder {
  id: string;
  name: string;
  parentFolderId: string | null;
  workspaceId: string;
  dateCreated: string;
}

export interface FolderDetail extends Folder {
  folders: Folder[];
  /** From the root down, itself included. */
  path: { id: string; name: string }[];
}

export interface Usage {
  usedBytes: number;
  maxBytes: number;
}

export type SortBy = 'name' | 'size' | 'date' | 'type';

/** How a folder's files are asked for. */
export interface Order {
  sort: SortBy;
  order: 'asc' | 'desc';
}

const PAGE_SIZE = 1_000;

/** One page of a folder's files, and the address of the next. @param address of a page; null = the first */
export async function listFiles(
  folderId: string,
  wishes: Order & { search: string },
  address: string | null,
  signal: AbortSignal,
): Promise<{ files: FileItem[]; next: string | null }> {
  const response = address
    ? await send('GET', address, { signal })
    : await send('GET', `/api/storage/files/${folderId}`, { query: { ...wishes, limit: PAGE_SIZE }, signal });
  return { files: (await response.json()) as FileItem[], next: nextPage(response) };
}

export const getFolder = (id: string, signal?: AbortSignal) => call<FolderDetail>('GET', `/api/storage/folders/${id}`, { signal });
export const createFolder = (name: string, parentFolderId: string) =>
  call<Folder>('POST', '/api/storage/folders', { body: { name, parentFolderId } });
export const changeFolder = (id: string, changes: { name?: string; parentFolderId?: string }) =>
  call<Folder>('PATCH', `/api/storage/folders/${id}`, { body: changes });
export const deleteFolder = (id: string) => call<void>('DELETE', `/api/storage/folders/${id}`, { query: { recursive: true } });
export const folderUsage = (id: string, signal?: AbortSignal) =>
  call<{ usedBytes: number; fileCount: number; folderCount: number }>('GET', `/api/storage/usage/folder/${id}`, { signal });

/** What of a file its owner may set. */
export interface FileChanges {
  originalName?: string;
  visibility?: 0 | 1;
  filePassword?: string | null;
  accessKey?: true | null;
  expiresAt?: string | null;
  maxDownloads?: number | null;
  regenerateTokens?: true;
}

export const getFile = (id: string, signal?: AbortSignal) => call<FileMetadata>('GET', `/api/storage/files/${id}/metadata`, { signal });
export const changeFile = (id: string, changes: FileChanges) => call<FileMetadata>('PATCH', `/api/storage/files/${id}`, { body: changes });
export const moveFile = (id: string, targetFolderId: string) =>
  call<FileMetadata>('POST', `/api/storage/files/${id}/move`, { body: { targetFolderId } });
export const deleteFile = (id: string) => call<void>('DELETE', `/api/storage/files/${id}`);
export const restoreFile = (id: string) => call<FileMetadata>('POST', `/api/storage/files/${id}/restore`);

export const getUsage = (signal?: AbortSignal) => call<Usage>('GET', '/api/storage/usage', { signal });

export const contentAddress = (id: string, { inline = false }: { inline?: boolean } = {}) =>
  `/api/storage/files/${id}/content${inline ? '?inline=1' : ''}`;
export const zipAddress = (folderId: string) => `/api/storage/export/${folderId}`;
export const directLink = (origin: string, file: FileMetadata) => `${origin}/api/storage/public/media/${file.directToken}`;
export const keyedLink = (origin: string, file: FileMetadata) =>
  `${origin}/api/storage/public/private/${file.id}?key=${encodeURIComponent(file.accessKeyPlain ?? '')}`;
export const pageLink = (origin: string, file: FileMetadata) => `${origin}/public/file/${file.uiToken}`;

/** The parts of the cache that hold answers about files. */
export const keys = {
  folder: (id: string) => ['folder', id] as const,
  files: (folderId: string) => ['files', folderId] as const,
  file: (id: string) => ['file', id] as const,
  usage: ['usage'] as const,
  trash: ['trash'] as const,
};

export type DeletedFile = FileItem & { dateDeleted: string };

/** What can still be restored, the last deleted first. */
export const getTrash = (signal?: AbortSignal) => call<DeletedFile[]>('GET', '/api/storage/trash', { signal });
