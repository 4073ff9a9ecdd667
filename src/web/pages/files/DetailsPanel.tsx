import { Drawer, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getFile, keys } from '../../api/storage.ts';
import { QueryContent } from '../../components/QueryContent.tsx';
import { EntryPicture } from './EntryPicture.tsx';
import { fileEntry } from './entries.ts';
import { AccessKey } from './sharing/AccessKey.tsx';
import { FileFacts } from './sharing/FileFacts.tsx';
import { Limits } from './sharing/Limits.tsx';
import { Links } from './sharing/Links.tsx';
import { Password } from './sharing/Password.tsx';
import { ReplaceLinks } from './sharing/ReplaceLinks.tsx';
import { Sender } from './sharing/Sender.tsx';
import { useFileChange } from './sharing/useFileChange.ts';
import { VisibilityChoice } from './sharing/VisibilityChoice.tsx';

/** The details of a file, and how it is shared. */
export function DetailsPanel({ id, close }: { id: string; close: () => void }) {
  const file = useQuery({ queryKey: keys.file(id), queryFn: () => getFile(id) });
  const change = useFileChange(id);
  return (
    <Drawer
      opened
      onClose={close}
      size={440}
      title={
        <Text fw={600} lineClamp={2}>
          {file.data?.originalName ?? 'Loading'}
        </Text>
      }
    >
      <QueryContent query={file}>
        {(data) => (
          <Stack gap="xl" pb="xl">
            {data.thumbnailPath && (
              <div className="details-picture">
                <EntryPicture entry={fileEntry(data)} large />
              </div>
            )}
            <VisibilityChoice file={data} change={change} />
            <Links file={data} />
            <Sender file={data} change={change} />
            <section className="details-section">
              <h2>Protection</h2>
              <Password file={data} change={change} />
              <AccessKey file={data} change={change} />
            </section>
            <Limits key={`${data.expiresAt} ${data.maxDownloads}`} file={data} change={change} />
            <ReplaceLinks change={change} />
            <FileFacts file={data} />
          </Stack>
        )}
      </QueryContent>
    </Drawer>
  );
}
