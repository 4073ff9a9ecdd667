import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './http.ts';

/** How one part of the server is. */
export interface Part {
  name: string;
  ok: boolean;
  detail: string;
}

export interface Overview {
  version: string;
  publicUrl: string;
  services: string[];
  database: 'sqlite' | 'postgres';
  blobs: 'local' | 's3';
  dateExamined: string;
  parts: Part[];
}

export interface WorkspaceOverview {
  id: string;
  name: string;
  usedBytes: number;
  maxBytes: number;
  /** False: its quota is the setting of the server. */
  ownQuota: boolean;
}

const WORKSPACES = ['overview', 'workspaces'];

export const useOverview = () =>
  useQuery({
    queryKey: ['overview', 'parts'],
    queryFn: ({ signal }) => call<Overview>('GET', '/api/admin/overview', { signal }),
    refetchInterval: 60_000,
  });

export const useWorkspaces = () =>
  useQuery({
    queryKey: WORKSPACES,
    queryFn: ({ signal }) => call<WorkspaceOverview[]>('GET', '/api/admin/storage/workspaces', { signal }),
    refetchInterval: 60_000,
  });

/** @param maxBytes null = the setting of the server */
export function useSetQuota() {
  const client = useQueryClient();
  return async (id: string, maxBytes: number | null) => {
    const all = await call<WorkspaceOverview[]>('PATCH', `/api/admin/storage/workspaces/${id}`, { body: { maxBytes } });
    client.setQueryData(WORKSPACES, all);
  };
}
