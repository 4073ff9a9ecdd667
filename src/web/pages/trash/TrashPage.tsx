import { Button, NativeSelect } from '@mantine/core';
import { FolderOpen, Trash2 } from 'lucide-react';
import { Link, useLocation, useSearchParams } from 'wouter';
import {
  isDeleted,
  mayErase,
  mayWrite,
  useWorkspaces,
  type Workspace,
  workspaceAddress,
  workspaceName,
} from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Rows } from '../../components/Rows.tsx';
import { trashAddress } from '../files/SpaceAndTrash.tsx';
import { DeletedRow } from './DeletedRow.tsx';
import { TrashToolbar } from './TrashToolbar.tsx';
import { useTrash } from './useTrash.ts';
import { useTrashOperations } from './useTrashOperations.ts';

/** Deleted files and folders of a workspace, to be restored or deleted permanently. */
export function TrashPage() {
  const workspaceId = useSearchParams()[0].get('workspaceId') ?? undefined;
  const workspaces = (useWorkspaces().data ?? []).filter((one) => mayWrite(one) && !isDeleted(one));
  const workspace = workspaces.find(({ id, personal }) =>
    workspaceId === undefined ? personal : id === workspaceId,
  );
  return (
    <Page
      title="Trash"
      description="Deleted files and folders are kept for some days, and restored with their links."
      actions={
        <>
          {workspaces.length > 1 && <WorkspaceChoice workspaces={workspaces} current={workspace} />}
          <Button
            component={Link}
            href={workspace ? workspaceAddress(workspace) : '/files'}
            variant="default"
            leftSection={<FolderOpen size={17} />}
          >
            {workspace ? workspaceName(workspace) : 'My files'}
          </Button>
        </>
      }
    >
      <Content key={workspaceId} workspaceId={workspaceId} canErase={mayErase(workspace)} />
    </Page>
  );
}

interface WorkspaceChoiceProps {
  workspaces: readonly Workspace[];
  current: Workspace | undefined;
}

function WorkspaceChoice({ workspaces, current }: WorkspaceChoiceProps) {
  const [, navigate] = useLocation();
  return (
    <NativeSelect
      aria-label="Workspace"
      value={current?.id}
      onChange={(event) => {
        const chosen = workspaces.find(({ id }) => id === event.currentTarget.value);
        if (chosen) navigate(trashAddress(chosen));
      }}
      data={workspaces.map((one) => ({ value: one.id, label: workspaceName(one) }))}
    />
  );
}

interface ContentProps {
  workspaceId: string | undefined;
  canErase: boolean;
}

function Content({ workspaceId, canErase }: ContentProps) {
  const trash = useTrash(workspaceId);
  const operations = useTrashOperations(workspaceId);
  return (
    <QueryContent query={trash.query}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState
            title="The trash is empty"
            text="Deleted files and folders appear here until they are removed permanently."
            icon={<Trash2 size={28} />}
          />
        ) : (
          <>
            <TrashToolbar entries={entries} trash={trash} operations={operations} canErase={canErase} />
            <Rows label="Trash" boxed>
              {entries.map((entry) => (
                <DeletedRow
                  key={entry.id}
                  entry={entry}
                  isSelected={trash.isSelected(entry.id)}
                  toggle={() => trash.toggle(entry.id)}
                  restore={() => operations.restore([entry])}
                />
              ))}
            </Rows>
            {trash.showMore && (
              <Button variant="default" mt="md" loading={trash.isLoadingMore} onClick={trash.showMore}>
                Show more
              </Button>
            )}
          </>
        )
      }
    </QueryContent>
  );
}
