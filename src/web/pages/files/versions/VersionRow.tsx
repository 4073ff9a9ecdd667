import { Group } from '@mantine/core';
import { Download, Eye, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { FileMetadata } from '../../../api/storage.ts';
import { type FileVersion, versionAddress } from '../../../api/versions.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { Row } from '../../../components/Rows.tsx';
import { Time } from '../../../components/Time.tsx';
import { formatBytes, formatExact, formatType } from '../../../formats.ts';
import { texts as common } from '../../../texts.ts';
import { download } from '../actions/download.ts';
import { hasPreview } from '../preview/kinds.ts';
import { texts } from './texts.ts';

interface VersionRowProps {
  file: FileMetadata;
  version: FileVersion;
  show(): void;
  /** Null = the person may not. */
  restore: ((version: FileVersion) => Promise<unknown>) | null;
  erase: ((version: FileVersion) => Promise<unknown>) | null;
}

export function VersionRow({ file, version, show, restore, erase }: VersionRowProps) {
  const [isErasing, setErasing] = useState(false);
  const when = formatExact(version.dateCreated);
  return (
    <Row
      title={
        <span className="sentence">
          <Time value={version.dateCreated} />
        </span>
      }
      description={
        <>
          {formatType(version.mimeType)} · {formatBytes(version.sizeBytes)} {texts.replaced}{' '}
          <Time value={version.dateReplaced} />
          {version.replacedBy && texts.by(version.replacedBy)}
        </>
      }
      actions={
        <Group gap={2} wrap="nowrap">
          {hasPreview(version.mimeType) && (
            <IconButton label={texts.previewVersion(when)} icon={<Eye size={17} />} onClick={show} />
          )}
          <IconButton
            label={texts.downloadVersion(when)}
            icon={<Download size={17} />}
            onClick={() => download([versionAddress(file.id, version.id)])}
          />
          {restore && (
            <IconButton
              label={texts.restoreVersion(when)}
              icon={<Undo2 size={17} />}
              onClick={() => void restore(version)}
            />
          )}
          {erase && (
            <IconButton
              label={texts.deleteVersion(when)}
              icon={<Trash2 size={17} />}
              onClick={() => setErasing(true)}
            />
          )}
        </Group>
      }
    >
      {erase && isErasing && (
        <ConfirmDialog
          title={texts.eraseTitle}
          text={texts.eraseText}
          confirmLabel={common.deletePermanently}
          confirm={() => erase(version)}
          close={() => setErasing(false)}
        />
      )}
    </Row>
  );
}
