import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '../../client/index.ts';
import { keys } from './keys.ts';
import { byId, posthouse, type Schemas } from './posthouse.ts';
import { whileOutage } from './queries.ts';

/** A workspace as an administrator sees it: the space it uses, but none of its files. */
export type WorkspaceOverview = Schemas['WorkspaceOverview'];

const ALL = [...keys.overview, 'workspaces'];
const path = '/api/admin/workspaces';

/** All workspaces, fullest first. */
export const useAllWorkspaces = () =>
  useQuery({
    queryKey: ALL,
    queryFn: () => posthouse.get(path),
    refetchInterval: (query) => whileOutage(query) || 60_000,
  });

/** Changes by administrators, to any workspace. */
export function useWorkspaceAdministration() {
  const client = useQueryClient();
  const show = (workspaces: WorkspaceOverview[]) => client.setQueryData(ALL, workspaces);
  return {
    create: async (body: BodyOf<'/api/admin/workspaces', 'post'>) =>
      show(await posthouse.post(path, { body })),
    /** @param maxBytes null = the setting of the server */
    setQuota: async (id: string, maxBytes: number | null) =>
      show(await posthouse.patch(`${path}/{id}`, { ...byId(id), body: { maxBytes } })),
    addManager: async (id: string, email: string) =>
      show(await posthouse.post(`${path}/{id}/managers`, { ...byId(id), body: { email } })),
    async removeManager(id: string, accountId: string) {
      const params = { path: { id, accountId } };
      show(await posthouse.delete(`${path}/{id}/managers/{accountId}`, { params }));
    },
  };
}
