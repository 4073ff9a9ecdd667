import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FolderOpen, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { type DeletedFile, getTrash, keys, restoreFile } from '../../api/storage.ts';
import { formatBytes, formatType } from '../../formats.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Nothing } from '../../parts/Nothing.tsx';
import { Page } from '../../parts/Page.tsx';
import { Row } from '../../parts/Rows.tsx';
import { Time } from '../../parts/Time.tsx';
import { attempt, tell } from '../../parts/tell.tsx';
import { fileTexts as texts } from '../../texts/files.ts';
import { fileEntry } from './entries.ts';
import { EntryPicture } from './FileIcon.tsx';

/** What was deleted and can be brought back. */
export function TrashPage() {
  const trash = useQuery({ queryKey: keys.trash, queryFn: ({ signal }) => getTrash(signal), staleTime: 0 });
  return (
    <Page
      title={texts.trash}
      about={texts.trashAbout}
      actions={
        <Button component={Link} href="/files" variant="default" leftSection={<FolderOpen size={17} />}>
          {texts.root}
        </Button>
      }
    >
      <Loaded query={trash}>
        {(files) =>
          files.length === 0 ? (
            <Nothing title={texts.trashEmpty} text={texts.trashEmptyText} icon={<Trash2 size={28} />} />
          ) : (
            <ul className="rows boxed-rows" aria-label={texts.trash}>
              {files.map((file) => (
                <DeletedRow key={file.id} file={file} />
              ))}
            </ul>
          )
        }
      </Loaded>
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
      tell(texts.restored(1));
      for (const queryKey of [keys.trash, keys.usage, keys.files(folderId)]) void client.invalidateQueries({ queryKey });
    });
    setBusy(false);
  }

  return (
    <Row
      icon={<EntryPicture entry={fileEntry({ ...file, thumbnailPath: null })} />}
      title={file.originalName}
      about={
        <>
          {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)} · {texts.deletedAt} <Time value={file.dateDeleted} />
        </>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<Undo2 size={15} />}
          loading={busy}
          onClick={() => void restore()}
          aria-label={texts.restoreOf(file.originalName)}
        >
          {texts.restore}
        </Button>
      }
    />
  );
}
