import type { BodyOf } from '../../client/index.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type TrashEntry = Schemas['TrashEntry'];
type RestoreConflict = NonNullable<BodyOf<'/api/storage/trash/{id}/restore', 'post'>>['onConflict'];

const PAGE_SIZE = 200;
const path = '/api/storage/trash';

/**
 * Returns a page of the files and folders that can be restored, most recently deleted first.
 * @param workspaceId undefined = the personal workspace
 * @param address of a page; null = the first
 */
export async function listTrash(
  workspaceId: string | undefined,
  address: string | null,
  signal?: AbortSignal,
) {
  if (address) return await posthouse.page<TrashEntry>(address, { signal });
  return await posthouse.list(path, { params: { query: { workspaceId, limit: PAGE_SIZE } }, signal });
}

/** Returns all files and folders that can be restored. */
export async function readTrash(workspaceId: string | undefined): Promise<TrashEntry[]> {
  const entries: TrashEntry[] = [];
  for (let address: string | null = null; ; ) {
    const page = await listTrash(workspaceId, address);
    entries.push(...page.items);
    if (page.next === null) return entries;
    address = page.next;
  }
}

/** Restores a deleted file or folder. */
export const restore = (id: string, onConflict: RestoreConflict) =>
  posthouse.post(`${path}/{id}/restore`, { ...byId(id), body: { onConflict } });
/** Erases a deleted file or folder. */
export const erase = (id: string) => posthouse.delete(`${path}/{id}`, byId(id));
export const emptyTrash = (workspaceId: string | undefined) =>
  posthouse.delete(path, { params: { query: { workspaceId } } });
