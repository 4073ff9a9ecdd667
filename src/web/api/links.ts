import type { BodyOf } from '../../client/index.ts';
import { useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { pagesFrom } from './pages.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { changeFile } from './storage.ts';

/** A link to a folder, or to chosen files. */
export type FolderLink = Schemas['FolderLink'];
export type NewLink = BodyOf<'/api/storage/links', 'post'>;
export type LinkChange = BodyOf<'/api/storage/links/{id}', 'patch'>;

const PAGE_SIZE = 100;
const path = '/api/storage/links';

/** Returns the person's newest link to a folder; null = none. */
export async function findLinkTo(folderId: string, workspaceId: string | undefined) {
  const found = await posthouse.get(path, { params: { query: { folderId, workspaceId } } });
  return found.find((link): link is FolderLink => link.kind === 'folder') ?? null;
}

/** Loads the links of a workspace, newest first. @param workspaceId undefined = the personal one */
export const listShared = (workspaceId?: string, limit = PAGE_SIZE) =>
  pagesFrom((signal) => posthouse.list(path, { params: { query: { workspaceId, limit } }, signal }));

export const createLink = (body: NewLink) => posthouse.post(path, { body });
export const changeLink = (id: string, body: LinkChange) =>
  posthouse.patch(`${path}/{id}`, { ...byId(id), body });
/** Revokes a link; for a file, all its links. */
export const revoke = (link: Schemas['SharedLink']): Promise<unknown> =>
  link.kind === 'file'
    ? changeFile(link.id, { visibility: 0, accessKey: null })
    : posthouse.delete(`${path}/{id}`, byId(link.id));

/** Returns a key that changes with the settings of a link, so that its form shows changes by other tabs or members. */
export function stateOf(link: FolderLink): string {
  const { id, expiresAt, hasPassword, maxDownloads, title, access, maxFiles, maxBytes } = link;
  return JSON.stringify([id, expiresAt, hasPassword, maxDownloads, title, access, maxFiles, maxBytes]);
}

export const useRefreshLinks = () => useRefresh(keys.links);
