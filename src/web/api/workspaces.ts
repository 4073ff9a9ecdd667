import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { shownName } from '../../text/shown-name.ts';
import { texts as common } from '../texts.ts';
import { useChange, useRefresh } from './change.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { texts } from './texts.ts';

export type Workspace = Schemas['Workspace'];
export type WorkspaceMember = Schemas['WorkspaceMember'];
export type WorkspaceToken = Schemas['WorkspaceToken'];
export type MemberRole = WorkspaceMember['role'];

export const MEMBER_ROLES: Record<MemberRole, string> = {
  viewer: texts.viewer,
  editor: texts.editor,
  manager: common.manager,
};

const path = '/api/storage/workspaces';

export const workspaceName = ({ personal, name }: Workspace) => (personal ? common.myFiles : shownName(name));
/** Reports whether the person may upload, change and delete files there. */
export const mayWrite = (workspace: Workspace | undefined) =>
  workspace !== undefined && workspace.role !== 'viewer';
/** Reports whether the person may rename and delete the workspace, and choose its members. */
export const mayManage = ({ role }: Workspace) => role === 'manager';
/** Reports whether the person may erase deleted files and versions. */
export const mayErase = (workspace: Workspace | undefined) => workspace !== undefined && mayManage(workspace);
export const isDeleted = ({ dateErased }: Workspace) => dateErased !== undefined;
export const workspaceAddress = ({ personal, rootFolderId }: Workspace) =>
  personal ? '/files' : `/files/${rootFolderId}`;
export const trashAddress = ({ personal, id }: Workspace) =>
  personal ? '/files/trash' : `/files/trash?workspaceId=${id}`;
export const sharedAddress = ({ personal, id }: Workspace) =>
  personal ? '/files/shared' : `/files/shared?workspaceId=${id}`;

/** The workspaces of the person, the personal one first, then by name; includes deleted ones that can be restored. */
export const workspacesQuery = queryOptions({
  queryKey: [...keys.workspaces, 'list'],
  queryFn: async () => (await posthouse.get(path)).sort(byPlace),
});
export const useWorkspaces = ({ enabled = true } = {}) => useQuery({ ...workspacesQuery, enabled });

/** The shared workspaces of the person without the deleted ones. */
export const useSharedWorkspaces = (options?: { enabled: boolean }) =>
  (useWorkspaces(options).data ?? []).filter((one) => !one.personal && !isDeleted(one));

const byPlace = (a: Workspace, b: Workspace) =>
  Number(b.personal) - Number(a.personal) || a.name.localeCompare(b.name);

export const createWorkspace = (name: string) => posthouse.post(path, { body: { name } });
export const renameWorkspace = (id: string, name: string) =>
  posthouse.patch(`${path}/{id}`, { ...byId(id), body: { name } });
export const deleteWorkspace = (id: string) => posthouse.delete(`${path}/{id}`, byId(id));
export const restoreWorkspace = (id: string) => posthouse.post(`${path}/{id}/restore`, byId(id));

export const useMembers = (id: string) =>
  useQuery({
    queryKey: [...keys.workspaces, 'members', id],
    queryFn: () => posthouse.get(`${path}/{id}/members`, byId(id)),
  });
export const addMember = (id: string, body: BodyOf<'/api/storage/workspaces/{id}/members', 'post'>) =>
  posthouse.post(`${path}/{id}/members`, { ...byId(id), body });
export const changeMember = (id: string, accountId: string, role: MemberRole) =>
  posthouse.patch(`${path}/{id}/members/{accountId}`, {
    params: { path: { id, accountId } },
    body: { role },
  });
/** Removes a member; with the person's own account, leaves the workspace. */
export const removeMember = (id: string, accountId: string) =>
  posthouse.delete(`${path}/{id}/members/{accountId}`, { params: { path: { id, accountId } } });

export const useWorkspaceTokens = (id: string) =>
  useQuery({
    queryKey: [...keys.workspaces, 'tokens', id],
    queryFn: () => posthouse.get(`${path}/{id}/tokens`, byId(id)),
  });
export const createWorkspaceToken = (
  id: string,
  body: BodyOf<'/api/storage/workspaces/{id}/tokens', 'post'>,
) => posthouse.post(`${path}/{id}/tokens`, { ...byId(id), body });
export const revokeWorkspaceToken = (id: string, tokenId: string) =>
  posthouse.delete(`${path}/{id}/tokens/{tokenId}`, { params: { path: { id, tokenId } } });

/** Changes workspaces, members or tokens, and then refetches them. */
export const useWorkspaceChange = () => useChange(keys.workspaces);
export const useRefreshWorkspaces = () => useRefresh(keys.workspaces);
