import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Folder, FolderOpen, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { getTrash, keys, restore, type TrashEntry } from '../../api/storage.ts';
import { useWorkspaces, workspaceAddress, workspaceName } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { attempt, notify } from '../../components/notify.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { countOf, formatBytes, formatType } from '../../formats.ts';
import { EntryPicture } from './EntryPicture.tsx';
import { fileEntry } from './entries.ts';

/** Deleted files and folders, to be restored. */
export function TrashPage() {
  const workspaceId = useSearchParams()[0].get('workspaceId') ?? undefined;
  const trash = useQuery({
    queryKey: [...keys.trash, workspaceId],
    queryFn: () => getTrash(workspaceId),
    staleTime: 0,
  });
  const workspace = useWorkspaces().data?.find(({ id }) => id === workspaceId);
  return (
    <Page
      title="Trash"
      description="Deleted files and folders are kept for some days."
      actions={
        <Button
          component={Link}
          href={workspace ? workspaceAddress(workspace) : '/files'}
          variant="default"
          leftSection={<FolderOpen size={17} />}
        >
          {workspace ? workspaceName(workspace) : 'My files'}
        </Button>
      }
    >
      <QueryRows
        query={trash}
        label="Trash"
        boxed
        row={(entry) => <DeletedRow key={entry.id} entry={entry} />}
        empty={
          <EmptyState
            title="The trash is empty"
            text="Deleted files and folders appear here until they are removed permanently."
            icon={<Trash2 size={28} />}
          />
        }
      />
    </Page>
  );
}

function DeletedRow({ entry }: { entry: TrashEntry }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function restoreEntry() {
    setBusy(true);
    await attempt(async () => {
      const { folderId, name } = await restore(entry.id, 'rename');
      notify(`Restored “${name}”`);
      for (const queryKey of [keys.trash, keys.usage, keys.files(folderId), keys.folder(folderId)])
        void client.invalidateQueries({ queryKey });
    });
    setBusy(false);
  }

  return (
    <Row
      icon={
        entry.kind === 'file' ? (
          <EntryPicture entry={fileEntry({ ...entry, thumbnailPath: null })} />
        ) : (
          <Folder size={20} aria-hidden />
        )
      }
      title={entry.name}
      description={
        <>
          {entry.kind === 'file' ? formatType(entry.mimeType) : countOf(entry.fileCount, 'file', 'files')} ·{' '}
          {formatBytes(entry.sizeBytes)}
          {entry.path === '' ? null : ` · from ${entry.path}`} · deleted <Time value={entry.dateDeleted} />
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Undo2 size={15} />}
          loading={busy}
          onClick={() => void restoreEntry()}
          aria-label={`Restore ${entry.name}`}
        >
          Restore
        </Button>
      }
    />
  );
}
