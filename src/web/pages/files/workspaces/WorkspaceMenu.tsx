import { Button, Menu } from '@mantine/core';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMe } from '../../../api/session.ts';
import {
  isDeleted,
  useWorkspaces,
  type Workspace,
  workspaceAddress,
  workspaceName,
} from '../../../api/workspaces.ts';
import { texts as common } from '../../../texts.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from './texts.ts';
import { type WorkspaceDialog, WorkspaceDialogs } from './WorkspaceDialogs.tsx';
import { WorkspaceIcon } from './WorkspaceIcon.tsx';
import { DeletedItems, WorkspaceItems } from './WorkspaceItems.tsx';

/** Switches between workspaces, and opens the dialogs of the current one. @param compact with its icon only */
export function WorkspaceMenu({ compact = false }: { compact?: boolean }) {
  const { workspace } = useFilesPage();
  const all = useWorkspaces().data ?? [];
  const mayCreate = useMe().data?.mayCreateWorkspaces ?? false;
  const [dialog, setDialog] = useState<WorkspaceDialog | null>(null);
  if (!workspace) return null;
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            variant="default"
            aria-label={texts.workspaceNamed(workspaceName(workspace))}
            className="workspace-button"
            data-compact={compact || undefined}
            leftSection={<WorkspaceIcon workspace={workspace} />}
            rightSection={<ChevronsUpDown size={15} aria-hidden />}
          >
            {!compact && <span>{workspaceName(workspace)}</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="workspace-list">
          <Menu.Label>{common.workspaces}</Menu.Label>
          {all
            .filter((one) => !isDeleted(one))
            .map((one) => (
              <Choice key={one.id} workspace={one} isCurrent={one.id === workspace.id} />
            ))}
          {mayCreate && (
            <Menu.Item leftSection={<Plus size={16} />} onClick={() => setDialog('create')}>
              {common.newWorkspace}
            </Menu.Item>
          )}
          {!workspace.personal && <WorkspaceItems workspace={workspace} open={setDialog} />}
          <DeletedItems workspaces={all.filter(isDeleted)} />
        </Menu.Dropdown>
      </Menu>
      {dialog && <WorkspaceDialogs dialog={dialog} workspace={workspace} close={() => setDialog(null)} />}
    </>
  );
}

const Choice = ({ workspace, isCurrent }: { workspace: Workspace; isCurrent: boolean }) => (
  <Menu.Item
    component={Link}
    href={workspaceAddress(workspace)}
    aria-current={isCurrent || undefined}
    leftSection={<WorkspaceIcon workspace={workspace} />}
    rightSection={isCurrent && <Check size={16} aria-hidden />}
  >
    {workspaceName(workspace)}
  </Menu.Item>
);
