import { Menu, Text } from '@mantine/core';
import { KeyRound, LogOut, Pencil, Trash2, Undo2, UsersRound } from 'lucide-react';
import { mayManage, type Workspace, workspaceName } from '../../../api/workspaces.ts';
import { Time } from '../../../components/Time.tsx';
import { texts } from './texts.ts';
import { useWorkspaceActions } from './useWorkspaceActions.ts';
import type { WorkspaceDialog } from './WorkspaceDialogs.tsx';

interface WorkspaceItemsProps {
  workspace: Workspace;
  open(dialog: WorkspaceDialog): void;
}

/** Menu items for a shared workspace: its management, and leaving it. */
export function WorkspaceItems({ workspace, open }: WorkspaceItemsProps) {
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{workspaceName(workspace)}</Menu.Label>
      {mayManage(workspace) && (
        <>
          <Menu.Item leftSection={<UsersRound size={16} />} onClick={() => open('members')}>
            {texts.members}
          </Menu.Item>
          <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => open('tokens')}>
            {texts.tokens}
          </Menu.Item>
          <Menu.Item leftSection={<Pencil size={16} />} onClick={() => open('rename')}>
            {texts.renameWorkspace}
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<LogOut size={16} />} onClick={() => open('leave')}>
        {texts.leaveWorkspace}
      </Menu.Item>
      {mayManage(workspace) && (
        <Menu.Item leftSection={<Trash2 size={16} />} color="var(--bad)" onClick={() => open('delete')}>
          {texts.deleteWorkspace}
        </Menu.Item>
      )}
    </>
  );
}

/** Menu items that restore deleted workspaces. */
export function DeletedItems({ workspaces }: { workspaces: readonly Workspace[] }) {
  const { restore } = useWorkspaceActions();
  if (workspaces.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{texts.deletedWorkspaces}</Menu.Label>
      {workspaces.map((workspace) => (
        <Menu.Item
          key={workspace.id}
          leftSection={<Undo2 size={16} />}
          onClick={() => void restore(workspace)}
        >
          {texts.restore(workspace.name)}
          <Text size="xs" c="dimmed">
            {texts.erased} <Time value={workspace.dateErased ?? ''} />
          </Text>
        </Menu.Item>
      ))}
    </>
  );
}
