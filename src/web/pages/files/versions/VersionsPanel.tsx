import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../api/keys.ts';
import { type FileMetadata, fileQuery } from '../../../api/storage.ts';
import { type FileVersion, listVersions } from '../../../api/versions.ts';
import { mayErase } from '../../../api/workspaces.ts';
import { SidePanel } from '../../../components/Dialog.tsx';
import { QueryContent } from '../../../components/QueryContent.tsx';
import { Row, Rows } from '../../../components/Rows.tsx';
import { Time } from '../../../components/Time.tsx';
import { formatBytes } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from './texts.ts';
import { useVersionChanges } from './useVersionChanges.ts';
import { VersionPreview } from './VersionPreview.tsx';
import { VersionRow } from './VersionRow.tsx';

/** The current content of a file and its versions, which can be shown, downloaded and restored. */
export function VersionsPanel({ id, close }: { id: string; close: () => void }) {
  const file = useQuery(fileQuery(id));
  return (
    <SidePanel
      close={close}
      size={480}
      title={
        <Text fw={600} lineClamp={2}>
          {file.data ? texts.versionsOf(file.data.originalName) : common.loading}
        </Text>
      }
    >
      <QueryContent query={file}>{(data) => <Versions file={data} />}</QueryContent>
    </SidePanel>
  );
}

function Versions({ file }: { file: FileMetadata }) {
  const { workspace, canWrite } = useFilesPage();
  const versions = useQuery({ queryKey: [...keys.versions, file.id], queryFn: () => listVersions(file.id) });
  const changes = useVersionChanges(file);
  const [shown, setShown] = useState<FileVersion | null>(null);
  return (
    <QueryContent query={versions}>
      {(list) => (
        <Stack gap="md">
          <Rows label={common.versions}>
            <Row
              title={texts.currentContent}
              description={
                <>
                  {formatBytes(file.sizeBytes)} {texts.changed} <Time value={file.dateModified} />
                  {file.modifiedBy && texts.by(file.modifiedBy)}
                </>
              }
            />
            {list.map((version) => (
              <VersionRow
                key={version.id}
                file={file}
                version={version}
                show={() => setShown(version)}
                restore={canWrite ? changes.restore : null}
                erase={mayErase(workspace) ? changes.erase : null}
              />
            ))}
          </Rows>
          <Text size="sm" c="dimmed">
            {list.length === 0 ? texts.noVersions : texts.versionsKept}
          </Text>
          {shown && <VersionPreview file={file} version={shown} close={() => setShown(null)} />}
        </Stack>
      )}
    </QueryContent>
  );
}
