import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { folderQuery } from '../../../api/storage.ts';
import { useWorkspaces, type Workspace } from '../../../api/workspaces.ts';

/** The workspace of a folder; until the folder is loaded, that of the previous folder. */
export function useWorkspaceOf(folderId: string): Workspace | undefined {
  const workspaces = useWorkspaces().data;
  const folder = useQuery({ ...folderQuery(folderId), placeholderData: keepPreviousData }).data;
  return workspaces?.find(({ id }) => id === folder?.workspaceId);
}
