import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderOpen, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type DeletedFile, getTrash, keys, restoreFile } from '../../api/storage.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { attempt, notify } from '../../components/notify.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { formatBytes, formatType } from '../../formats.ts';
import { EntryPicture } from './EntryPicture.tsx';
import { fileEntry } from './entries.ts';

/** Deleted files, to be restored. */
export function TrashPage() {
  const trash = useQuery({ queryKey: keys.trash, queryFn: () => getTrash(), staleTime: 0 });
  return (
    <Page
      title="Trash"
      description="Deleted files are kept for some days."
      actions={
        <Button component={Link} href="/files" variant="default" leftSection={<FolderOpen size={17} />}>
          My files
        </Button>
      }
    >
      <QueryRows
        query={trash}
        label="Trash"
        boxed
        row={(file) => <DeletedRow key={file.id} file={file} />}
        empty={
          <EmptyState
            title="The trash is empty"
            text="Deleted files appear here until they are removed permanently."
            icon={<Trash2 size={28} />}
          />
        }
      />
    </Page>
  );
}

function DeletedRow({ file }: { file: DeletedFile }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);

  async function restore() {
    setBusy(true);
    await attempt(async () => {
      const { folderId } = await restoreFile(file.id);
      notify(`Restored “${file.originalName}”`);
      for (const queryKey of [keys.trash, keys.usage, keys.files(folderId)])
        void client.invalidateQueries({ queryKey });
    });
    setBusy(false);
  }

  return (
    <Row
      icon={<EntryPicture entry={fileEntry({ ...file, thumbnailPath: null })} />}
      title={file.originalName}
      description={
        <>
          {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)} · deleted{' '}
          <Time value={file.dateDeleted} />
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Undo2 size={15} />}
          loading={busy}
          onClick={() => void restore()}
          aria-label={`Restore ${file.originalName}`}
        >
          Restore
        </Button>
      }
    />
  );
}
