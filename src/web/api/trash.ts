import type { BodyOf } from '../../client/index.ts';
import { pagesFrom } from './pages.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type TrashEntry = Schemas['TrashEntry'];
type RestoreConflict = NonNullable<BodyOf<'/api/storage/trash/{id}/restore', 'post'>>['onConflict'];

const PAGE_SIZE = 200;
const path = '/api/storage/trash';

/**
 * Loads the files and folders that can be restored, most recently deleted first.
 * @param workspaceId undefined = the personal workspace
 */
export const listTrash = (workspaceId: string | undefined) =>
  pagesFrom((signal) =>
    posthouse.list(path, { params: { query: { workspaceId, limit: PAGE_SIZE } }, signal }),
  );

/** Restores a deleted file or folder. */
export const restore = (id: string, onConflict: RestoreConflict) =>
  posthouse.post(`${path}/{id}/restore`, { ...byId(id), body: { onConflict } });
/** Erases a deleted file or folder. */
export const erase = (id: string) => posthouse.delete(`${path}/{id}`, byId(id));
export const emptyTrash = (workspaceId: string | undefined) =>
  posthouse.delete(path, { params: { query: { workspaceId } } });
