import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { Link } from 'wouter';
import { keys } from '../../api/keys.ts';
import { listRecent } from '../../api/storage.ts';
import { Panel } from '../../components/Panel.tsx';
import { QueryRows, Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { formatBytes, formatType } from '../../formats.ts';
import { texts as common } from '../../texts.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { FileLink } from '../files/FileLink.tsx';
import { texts } from './texts.ts';

const SHOWN = 8;

/** The files that were added last. */
export function RecentPanel() {
  const files = useQuery({ queryKey: keys.recent, queryFn: () => listRecent(SHOWN) });
  return (
    <Panel
      title={texts.recentFiles}
      actions={
        <Button component={Link} href="/files" size="xs" variant="default">
          {texts.allFiles}
        </Button>
      }
      flush
    >
      <QueryRows
        query={files}
        label={texts.recentFiles}
        row={(file) => (
          <Row
            key={file.id}
            icon={<EntryPicture entry={fileEntry(file)} />}
            title={<FileLink file={file} panel="preview" />}
            description={
              <>
                {formatType(file.mimeType)} · {formatBytes(file.sizeBytes)} ·{' '}
                <Time value={file.dateCreated} />
                {file.sender && texts.fromSender(file.sender)}
              </>
            }
          />
        )}
        empty={
          <div className="panel-note">
            <p>{texts.noFiles}</p>
            <Button component={Link} href="/files" size="xs" leftSection={<Upload size={16} />}>
              {common.uploadFiles}
            </Button>
          </div>
        }
      />
    </Panel>
  );
}
