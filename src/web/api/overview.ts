import { useQuery, useQueryClient } from '@tanstack/react-query';
import { byId, posthouse, type Schemas } from './posthouse.ts';

export type Overview = Schemas['Overview'];
/** The result of a check of the server. */
export type Part = Overview['parts'][number];
export type WorkspaceOverview = Schemas['WorkspaceOverview'];

const WORKSPACES = ['overview', 'workspaces'];

export const useOverview = () =>
  useQuery({
    queryKey: ['overview', 'parts'],
    queryFn: () => posthouse.get('/api/admin/overview'),
    refetchInterval: 60_000,
  });

export const useAllWorkspaces = () =>
  useQuery({
    queryKey: WORKSPACES,
    queryFn: () => posthouse.get('/api/admin/workspaces'),
    refetchInterval: 60_000,
  });

/** @param maxBytes null = the setting of the server */
export function useSetQuota() {
  const client = useQueryClient();
  return async (id: string, maxBytes: number | null) => {
    const options = { ...byId(id), body: { maxBytes } };
    client.setQueryData(WORKSPACES, await posthouse.patch('/api/admin/workspaces/{id}', options));
  };
}
