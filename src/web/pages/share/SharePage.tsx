import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { File as FileIcon, Share2, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Me } from '../../api/session.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { attempt } from '../../components/notify.tsx';
import { Page } from '../../components/Page.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { Row, Rows } from '../../components/Rows.tsx';
import { countOf, formatBytes } from '../../formats.ts';
import { MAX_SHARED, removeSharedFiles, type SharedFile, sharedFiles } from '../../uploads/shared-files.ts';
import { useUploads } from '../../uploads/UploadsProvider.tsx';
import { folderAddress } from '../files/entries.ts';
import { FolderPicker, useFolderChoice } from '../files/folders/FolderPicker.tsx';
import { NoStorage } from '../files/NoStorage.tsx';
import { texts } from './texts.ts';

const SHARED = ['shared-files'];

/** Uploads the files that another app of the device has shared, into the folder that the person chooses. */
export function SharePage({ me }: { me: Me }) {
  const files = useQuery({ queryKey: SHARED, queryFn: sharedFiles });
  if (me.rootFolderId === null) return <NoStorage />;
  const { rootFolderId } = me;
  return (
    <QueryContent query={files}>
      {(shared) =>
        shared.length === 0 ? (
          <EmptyState
            title={texts.nothing}
            text={texts.nothingText}
            icon={<Share2 size={28} />}
            whole="page"
          />
        ) : (
          <SharedFiles files={shared} rootFolderId={rootFolderId} />
        )
      }
    </QueryContent>
  );
}

function SharedFiles({ files, rootFolderId }: { files: SharedFile[]; rootFolderId: string }) {
  const uploads = useUploads();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const choice = useFolderChoice(rootFolderId);
  const [busy, setBusy] = useState(false);
  const target = choice.folder.data?.id;
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const leave = (folderId: string) =>
    attempt(async () => {
      await removeSharedFiles(files);
      await client.invalidateQueries({ queryKey: SHARED });
      navigate(folderAddress(folderId, folderId === rootFolderId), { replace: true });
    });
  const remove = (shared: SharedFile) =>
    attempt(async () => {
      await removeSharedFiles([shared]);
      await client.invalidateQueries({ queryKey: SHARED });
    });
  const upload = async (folderId: string) => {
    setBusy(true);
    await uploads.add(
      files.map(({ file }) => ({ file, path: [] })),
      folderId,
    );
    if (!(await leave(folderId))) setBusy(false);
  };
  return (
    <Page title={texts.title} description={texts.received(countOf(files.length, 'file'), formatBytes(total))}>
      <Stack gap="md" maw={560}>
        <Rows label={texts.files} boxed>
          {files.map((shared) => (
            <Row
              key={String(shared.key)}
              icon={<FileIcon size={18} />}
              title={shared.file.name}
              description={formatBytes(shared.file.size)}
              actions={
                <IconButton
                  label={texts.remove(shared.file.name)}
                  icon={<X size={18} />}
                  onClick={() => void remove(shared)}
                />
              }
            />
          ))}
        </Rows>
        {files.length >= MAX_SHARED && <Text size="sm">{texts.full(MAX_SHARED)}</Text>}
        <FolderPicker choice={choice} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => void leave(rootFolderId)}>
            {texts.discard}
          </Button>
          <Button disabled={!target} loading={busy} onClick={() => target && void upload(target)}>
            {texts.uploadTo(choice.name)}
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
