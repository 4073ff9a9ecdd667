import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderOpen, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type DeletedFile, getTrash, keys, restoreFile } from '../../api/storage.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { attempt, notify } from '../../components/notify.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { formatBytes, formatType } from '../../formats.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import { EntryPicture } from './EntryPicture.tsx';
import { fileEntry } from './entries.ts';

/** Deleted files, to be restored. */
export function TrashPage() {
  const trash = useQuery({ queryKey: keys.trash, queryFn: ({ signal }) => getTrash(signal), staleTime: 0 });
  return (
    <Page
      title={texts.trash}
      description={texts.trashHint}
      actions={
        <Button component={Link} href="/files" variant="default" leftSection={<FolderOpen size={17} />}>
          {texts.root}
        </Button>
      }
    >
      <QueryContent query={trash}>
        {(files) =>
          files.length === 0 ? (
            <EmptyState title={texts.trashEmpty} text={texts.trashEmptyText} icon={<Trash2 size={28} />} />
          ) : (
            <Rows boxed label={texts.trash}>
              {files.map((file) => (
                <DeletedRow key={file.id} file={file} />
              ))}
            </Rows>
          )
        }
      </QueryContent>
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
      notify(texts.restored(1));
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
          {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)} · {texts.deletedAt}{' '}
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
          aria-label={texts.restoreItem(file.originalName)}
        >
          {texts.restore}
        </Button>
      }
    />
  );
}
