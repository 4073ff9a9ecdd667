import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf, BodyOf } from '../../client/index.ts';
import { nameKey } from '../../text/name-key.ts';
import { texts as common } from '../texts.ts';
import { keys } from './keys.ts';
import { type PagesOf, pagesFrom, readPages } from './pages.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type FileItem = Schemas['FileListItem'];
export type SharedLink = Schemas['SharedLink'];
export type FileLink = Schemas['FileLink'];
export type FileMetadata = Schemas['FileMetadata'];
export type Folder = Schemas['Folder'];
export type FolderDetail = AnswerOf<'/api/storage/folders/{id}', 'get'>;
export type FileChanges = BodyOf<'/api/storage/files/{id}', 'patch'>;
export type FileConflict = BodyOf<'/api/storage/files/{id}/move', 'post'>['onConflict'];
export type FolderConflict = BodyOf<'/api/storage/folders/{id}/copy', 'post'>['onConflict'];
/** The columns by which a listing can be sorted, with their labels. */
export const COLUMNS = {
  name: common.name,
  size: common.size,
  date: common.added,
  taken: common.taken,
  type: common.type,
};
export type SortBy = keyof typeof COLUMNS;

/** The order of the files of a folder. */
export interface Order {
  sort: SortBy;
  order: 'asc' | 'desc';
}

const PAGE_SIZE = 1_000;
/** Maximum number of names that are read before an upload. */
const MAX_NAMES = 10_000;

/** The pages of the files of a folder. @param search text that the names contain; empty = all files */
export const filesPages = (folderId: string, { sort, order }: Order, search = ''): PagesOf<FileItem> => ({
  queryKey: [...keys.files, folderId, sort, order, search],
  load: listFiles(folderId, { sort, order, search: search || undefined }),
});

const listFiles = (id: string, query: Partial<Order> & { search?: string } = {}) =>
  pagesFrom((signal) =>
    posthouse.list('/api/storage/files/{id}', {
      params: { path: { id }, query: { ...query, limit: PAGE_SIZE } },
      signal,
    }),
  );

/** Returns the names of the files in a folder, at most the first `MAX_NAMES`. */
export const listNames = async (folderId: string) =>
  (await readPages(listFiles(folderId), MAX_NAMES)).map(({ originalName }) => originalName);

/** Returns the newest file with a name in a folder; null = none. @param except ID of a file to ignore */
export async function findFileNamed(
  folderId: string,
  name: string,
  { except, signal }: { except?: string; signal?: AbortSignal } = {},
): Promise<FileItem | null> {
  const files = await posthouse.get('/api/storage/files/{id}', {
    params: { path: { id: folderId }, query: { search: name, sort: 'date', order: 'desc' } },
    signal,
  });
  const isNamed = ({ id, originalName }: FileItem) =>
    id !== except && nameKey(originalName) === nameKey(name);
  return files.find(isNamed) ?? null;
}

export const listRecent = (limit: number) =>
  posthouse.get('/api/storage/recent', { params: { query: { limit } } });

export const getFolder = (id: string) => posthouse.get('/api/storage/folders/{id}', byId(id));
export const folderQuery = (id: string) =>
  queryOptions({ queryKey: [...keys.folder, id], queryFn: () => getFolder(id) });
export const createFolder = (name: string, parentFolderId: string) =>
  posthouse.post('/api/storage/folders', { body: { name, parentFolderId } });
export const changeFolder = (id: string, body: BodyOf<'/api/storage/folders/{id}', 'patch'>) =>
  posthouse.patch('/api/storage/folders/{id}', { ...byId(id), body });
export const deleteFolder = (id: string) =>
  posthouse.delete('/api/storage/folders/{id}', { params: { path: { id }, query: { recursive: 'true' } } });
export const folderUsage = (id: string) => posthouse.get('/api/storage/usage/folder/{id}', byId(id));

const getFile = (id: string) => posthouse.get('/api/storage/files/{id}/metadata', byId(id));
export const fileQuery = (id: string) =>
  queryOptions({ queryKey: [...keys.file, id], queryFn: () => getFile(id) });
export const changeFile = (id: string, body: FileChanges) =>
  posthouse.patch('/api/storage/files/{id}', { ...byId(id), body });
/** Moves a file. Returns the file that has its content afterwards: with `replace`, that can be another file. */
export const moveFile = (id: string, targetFolderId: string, onConflict: FileConflict) =>
  posthouse.post('/api/storage/files/{id}/move', { ...byId(id), body: { targetFolderId, onConflict } });
export const copyFile = (id: string, targetFolderId: string, onConflict: FileConflict) =>
  posthouse.post('/api/storage/files/{id}/copy', { ...byId(id), body: { targetFolderId, onConflict } });
/** Copies a picture without metadata such as its location, rotated upright. A taken name gets a number. */
export const copyWithoutMetadata = (id: string, targetFolderId: string) =>
  posthouse.post('/api/storage/files/{id}/copy', {
    ...byId(id),
    body: { targetFolderId, onConflict: 'rename', withoutMetadata: true },
  });
export const copyFolder = (id: string, targetFolderId: string, onConflict: FolderConflict) =>
  posthouse.post('/api/storage/folders/{id}/copy', { ...byId(id), body: { targetFolderId, onConflict } });
export const deleteFile = (id: string) => posthouse.delete('/api/storage/files/{id}', byId(id));
/** @param workspaceId undefined = the personal workspace */
export const getUsage = (workspaceId?: string) =>
  posthouse.get('/api/storage/usage', { params: { query: { workspaceId } } });

export const contentAddress = (id: string) => `/api/storage/files/${id}/content`;
export const zipAddress = (folderId: string) => `/api/storage/export/${folderId}`;
export const directLink = (origin: string, file: FileMetadata) =>
  `${origin}/api/storage/public/media/${file.directToken}`;
export const keyedLink = (origin: string, file: FileMetadata) =>
  `${origin}/api/storage/public/private/${file.id}?key=${encodeURIComponent(file.accessKeyPlain ?? '')}`;
export const pageLink = (origin: string, file: FileMetadata) => `${origin}/public/file/${file.uiToken}`;
