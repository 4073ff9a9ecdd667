import { Button, NativeSelect } from '@mantine/core';
import { FolderOpen } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import {
  isDeleted,
  mayWrite,
  useWorkspaces,
  type Workspace,
  workspaceAddress,
  workspaceName,
} from '../api/workspaces.ts';
import { texts as common } from '../texts.ts';
import { Page } from './Page.tsx';
import { texts } from './texts.ts';

interface WorkspacePageProps {
  title: string;
  description: string;
  /** The address of this page for another workspace. */
  addressOf(workspace: Workspace): string;
  /** @param workspaceId as in the address; undefined = the personal one */
  content(workspaceId: string | undefined, workspace: Workspace | undefined): ReactNode;
}

/** A page about one of the workspaces in which the person may write: `?workspaceId=`, or else the personal one. */
export function WorkspacePage({ title, description, addressOf, content }: WorkspacePageProps) {
  const workspaceId = useSearchParams()[0].get('workspaceId') ?? undefined;
  const workspaces = (useWorkspaces().data ?? []).filter((one) => mayWrite(one) && !isDeleted(one));
  const workspace = workspaces.find(({ id, personal }) =>
    workspaceId === undefined ? personal : id === workspaceId,
  );
  return (
    <Page
      title={title}
      description={description}
      actions={
        <>
          {workspaces.length > 1 && (
            <WorkspaceSelect workspaces={workspaces} current={workspace} addressOf={addressOf} />
          )}
          <Button
            component={Link}
            href={workspace ? workspaceAddress(workspace) : '/files'}
            variant="default"
            leftSection={<FolderOpen size={17} />}
            className={workspaces.length > 1 ? 'icon-on-phone' : undefined}
          >
            {workspaces.length > 1 ? texts.openFiles : common.myFiles}
          </Button>
        </>
      }
    >
      <Fragment key={workspaceId}>{content(workspaceId, workspace)}</Fragment>
    </Page>
  );
}

interface WorkspaceSelectProps extends Pick<WorkspacePageProps, 'addressOf'> {
  workspaces: readonly Workspace[];
  current: Workspace | undefined;
}

export function WorkspaceSelect({ workspaces, current, addressOf }: WorkspaceSelectProps) {
  const [, navigate] = useLocation();
  return (
    <NativeSelect
      flex="1 1 0"
      aria-label={common.workspace}
      value={current?.id}
      onChange={({ currentTarget }) => {
        const chosen = workspaces.find(({ id }) => id === currentTarget.value);
        if (chosen) navigate(addressOf(chosen));
      }}
      data={workspaces.map((one) => ({ value: one.id, label: workspaceName(one) }))}
    />
  );
}
