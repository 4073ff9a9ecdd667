import type { Workspace } from '../../../api/workspaces.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { texts as common } from '../../../texts.ts';
import { texts } from './texts.ts';
import { useWorkspaceActions } from './useWorkspaceActions.ts';

const MembersDialog = lazyComponent(async () => (await import('./MembersDialog.tsx')).MembersDialog);
const TokensDialog = lazyComponent(async () => (await import('./TokensDialog.tsx')).TokensDialog);

export type WorkspaceDialog = 'create' | 'rename' | 'members' | 'tokens' | 'delete' | 'leave';

interface WorkspaceDialogsProps {
  dialog: WorkspaceDialog;
  workspace: Workspace;
  close(): void;
}

export function WorkspaceDialogs({ dialog, workspace, close }: WorkspaceDialogsProps) {
  const actions = useWorkspaceActions();
  const shared = { workspace, close };
  switch (dialog) {
    case 'create':
      return (
        <NameDialog
          title={common.newWorkspace}
          label={common.workspaceName}
          initial=""
          submitLabel={common.create}
          submit={actions.create}
          close={close}
        />
      );
    case 'rename':
      return (
        <NameDialog
          title={texts.renameTitle(workspace.name)}
          label={common.newName}
          initial={workspace.name}
          submitLabel={common.rename}
          submit={(name) => actions.rename(workspace, name)}
          close={close}
        />
      );
    case 'members':
      return <MembersDialog {...shared} />;
    case 'tokens':
      return <TokensDialog {...shared} />;
    case 'delete':
      return (
        <ConfirmDialog
          title={texts.deleteTitle(workspace.name)}
          text={texts.deleteText}
          confirmLabel={texts.deleteWorkspace}
          confirm={() => actions.remove(workspace)}
          close={close}
        />
      );
    case 'leave':
      return (
        <ConfirmDialog
          title={texts.leaveNamed(workspace.name)}
          text={texts.leaveText}
          confirmLabel={texts.leaveWorkspace}
          confirm={() => actions.leave(workspace)}
          close={close}
        />
      );
  }
}
