import { useLocation } from 'wouter';
import { useMe } from '../../../api/session.ts';
import {
  createWorkspace,
  deleteWorkspace,
  removeMember,
  renameWorkspace,
  restoreWorkspace,
  useRefreshWorkspaces,
  type Workspace,
  workspaceAddress,
} from '../../../api/workspaces.ts';
import { attempt, notify, runReported } from '../../../components/notify.tsx';
import { withMemberAdvice } from './member-advice.ts';
import { texts } from './texts.ts';

/** Changes to workspaces, each followed by the page that shows its result. */
export function useWorkspaceActions() {
  const [, navigate] = useLocation();
  const accountId = useMe().data?.id;
  const refresh = useRefreshWorkspaces();

  async function show(workspace: Workspace) {
    await refresh();
    navigate(workspaceAddress(workspace));
  }

  const restore = (workspace: Workspace) =>
    attempt(async () => {
      await show(await restoreWorkspace(workspace.id));
      notify(texts.restored(workspace.name));
    });

  /** Shows the personal workspace in place of one that the person can no longer open. */
  async function leavePage(message: string, undo?: () => void) {
    navigate('/files');
    await refresh();
    notify(message, undo);
  }

  return {
    restore,
    create: async (name: string) => show(await createWorkspace(name)),
    async rename({ id }: Workspace, name: string) {
      await renameWorkspace(id, name);
      await refresh();
    },
    /** Reports its own errors, and then rejects. */
    remove: (workspace: Workspace) =>
      runReported(async () => {
        await deleteWorkspace(workspace.id);
        await leavePage(texts.deleted(workspace.name), () => void restore(workspace));
      }),
    /** Reports its own errors, and then rejects. */
    leave: ({ id, name }: Workspace) =>
      runReported(async () => {
        await withMemberAdvice(() => removeMember(id, accountId ?? ''));
        await leavePage(texts.left(name));
      }),
  };
}
