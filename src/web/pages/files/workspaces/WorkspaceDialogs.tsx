import { lazy, Suspense } from 'react';
import type { Workspace } from '../../../api/workspaces.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { useWorkspaceActions } from './useWorkspaceActions.ts';

const MembersDialog = lazy(async () => ({ default: (await import('./MembersDialog.tsx')).MembersDialog }));
const TokensDialog = lazy(async () => ({ default: (await import('./TokensDialog.tsx')).TokensDialog }));

export type WorkspaceDialog = 'create' | 'rename' | 'members' | 'tokens' | 'delete' | 'leave';

interface WorkspaceDialogsProps {
  dialog: WorkspaceDialog;
  /** The current workspace. */
  workspace: Workspace;
  close(): void;
}

/** The dialogs of workspaces. */
export function WorkspaceDialogs({ dialog, workspace, close }: WorkspaceDialogsProps) {
  const actions = useWorkspaceActions();
  const shared = { workspace, close };
  switch (dialog) {
    case 'create':
      return (
        <NameDialog
          title="New workspace"
          label="Workspace name"
          initial=""
          submitLabel="Create"
          submit={actions.create}
          close={close}
        />
      );
    case 'rename':
      return (
        <NameDialog
          title={`Rename “${workspace.name}”`}
          label="New name"
          initial={workspace.name}
          submitLabel="Rename"
          submit={(name) => actions.rename(workspace, name)}
          close={close}
        />
      );
    case 'members':
      return (
        <Suspense>
          <MembersDialog {...shared} />
        </Suspense>
      );
    case 'tokens':
      return (
        <Suspense>
          <TokensDialog {...shared} />
        </Suspense>
      );
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete “${workspace.name}”?`}
          text={
            'Its members cannot open it any more, and its links stop working. Managers can restore it for some ' +
            'days; then its files are erased.'
          }
          confirmLabel="Delete workspace"
          confirm={() => actions.remove(workspace)}
          close={close}
        />
      );
    case 'leave':
      return (
        <ConfirmDialog
          title={`Leave “${workspace.name}”?`}
          text="You cannot open its files any more. A manager can add you again."
          confirmLabel="Leave workspace"
          confirm={() => actions.leave(workspace)}
          close={close}
        />
      );
  }
}
