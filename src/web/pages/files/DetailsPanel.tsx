import { Drawer, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getFile, keys } from '../../api/storage.ts';
import { Failure } from '../../parts/Failure.tsx';
import { Waiting } from '../../parts/Waiting.tsx';
import { common } from '../../texts/common.ts';
import { sharingTexts as texts } from '../../texts/sharing.ts';
import { fileEntry } from './entries.ts';
import { EntryPicture } from './FileIcon.tsx';
import { FileFacts } from './sharing/FileFacts.tsx';
import { Limits } from './sharing/Limits.tsx';
import { Links } from './sharing/Links.tsx';
import { AccessKey, Password } from './sharing/Protection.tsx';
import { RevokeLinks } from './sharing/RevokeLinks.tsx';
import { useFileChange } from './sharing/useFileChange.ts';
import { VisibilityChoice } from './sharing/VisibilityChoice.tsx';

/** What is known of a file, and who may have it. */
export function DetailsPanel({ id, close }: { id: string; close: () => void }) {
  const file = useQuery({ queryKey: keys.file(id), queryFn: ({ signal }) => getFile(id, signal) });
  const change = useFileChange(id);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={440}
      title={
        <Text fw={600} lineClamp={2}>
          {file.data?.originalName ?? common.loading}
        </Text>
      }
    >
      {file.isPending && <Waiting />}
      {file.isError && <Failure error={file.error} retry={() => void file.refetch()} />}
      {file.data && (
        <Stack gap="xl" pb="xl">
          {file.data.thumbnailPath && (
            <div className="details-picture">
              <EntryPicture entry={fileEntry(file.data)} large />
            </div>
          )}
          <VisibilityChoice file={file.data} change={change} />
          <Links file={file.data} />
          <section className="details-section">
            <h2>{texts.protection}</h2>
            <Password file={file.data} change={change} />
            <AccessKey file={file.data} change={change} />
          </section>
          <Limits key={`${file.data.expiresAt} ${file.data.maxDownloads}`} file={file.data} change={change} />
          <RevokeLinks change={change} />
          <FileFacts file={file.data} />
        </Stack>
      )}
    </Drawer>
  );
}
