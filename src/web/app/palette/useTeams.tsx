import { UsersRound } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Me } from '../../api/session.ts';
import { useSharedWorkspaces, workspaceAddress, workspaceName } from '../../api/workspaces.ts';
import { texts as common } from '../../texts.ts';
import { matching, type PaletteGroup } from './items.ts';

/** The shared workspaces of the person that match. */
export function useTeams({ rootFolderId }: Me, query: string): PaletteGroup[] {
  const [, navigate] = useLocation();
  const items = useSharedWorkspaces({ enabled: rootFolderId !== null }).map((workspace) => ({
    id: workspace.id,
    label: workspaceName(workspace),
    icon: <UsersRound size={18} />,
    run: () => navigate(workspaceAddress(workspace)),
  }));
  return matching(common.sharedWorkspaces, items, query);
}
