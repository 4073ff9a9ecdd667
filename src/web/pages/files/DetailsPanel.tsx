import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FileMetadata, fileQuery } from '../../api/storage.ts';
import { SidePanel } from '../../components/Dialog.tsx';
import { Name } from '../../components/Name.tsx';
import { QueryContent } from '../../components/QueryContent.tsx';
import { texts as common } from '../../texts.ts';
import { EntryPicture } from './EntryPicture.tsx';
import { fileEntry } from './entries.ts';
import { useFilesPage } from './FilesContext.ts';
import { AccessKey } from './sharing/AccessKey.tsx';
import { FileFacts } from './sharing/FileFacts.tsx';
import { Limits } from './sharing/Limits.tsx';
import { isShared, Links } from './sharing/Links.tsx';
import { Password } from './sharing/Password.tsx';
import { ReplaceLinks } from './sharing/ReplaceLinks.tsx';
import { Sender } from './sharing/Sender.tsx';
import { useFileChange } from './sharing/useFileChange.ts';
import { VisibilityChoice } from './sharing/VisibilityChoice.tsx';
import { texts } from './texts.ts';

/** The details of a file and, for those who may change it, how it is shared. */
export function DetailsPanel({ id, close }: { id: string; close: () => void }) {
  const file = useQuery(fileQuery(id));
  const { canWrite } = useFilesPage();
  return (
    <SidePanel
      close={close}
      size={440}
      title={
        <Text fw={600} lineClamp={2}>
          <Name name={file.data?.originalName ?? common.loading} />
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
            {canWrite && <Sharing file={data} />}
            <FileFacts file={data} />
          </Stack>
        )}
      </QueryContent>
    </SidePanel>
  );
}

function Sharing({ file }: { file: FileMetadata }) {
  const change = useFileChange(file.id);
  return (
    <>
      <Links file={file} change={change} />
      <VisibilityChoice file={file} change={change} />
      {isShared(file) && <Sender file={file} change={change} />}
      <section className="details-section">
        <h2>{texts.protection}</h2>
        <Password file={file} change={change} />
        <AccessKey file={file} change={change} />
      </section>
      <Limits key={`${file.expiresAt} ${file.maxDownloads}`} file={file} change={change} />
      {isShared(file) && <ReplaceLinks change={change} />}
    </>
  );
}
