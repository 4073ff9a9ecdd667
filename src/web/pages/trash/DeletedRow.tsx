import { Checkbox } from '@mantine/core';
import { Folder } from 'lucide-react';
import type { TrashEntry } from '../../api/trash.ts';
import { Row } from '../../components/Rows.tsx';
import { Time } from '../../components/Time.tsx';
import { countOf, formatBytes, formatDaysLeft, formatType } from '../../formats.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { RestoreButton } from './RestoreButton.tsx';
import { texts } from './texts.ts';

interface DeletedRowProps {
  entry: TrashEntry;
  isSelected: boolean;
  toggle(): void;
  restore(): Promise<unknown>;
}

/** A deleted file, or a deleted folder with all that was in it. */
export function DeletedRow({ entry, isSelected, toggle, restore }: DeletedRowProps) {
  return (
    <Row
      checkbox={<Checkbox aria-label={texts.select(entry.name)} checked={isSelected} onChange={toggle} />}
      icon={
        entry.kind === 'file' ? (
          <EntryPicture entry={fileEntry({ ...entry, thumbnailPath: null })} />
        ) : (
          <Folder size={20} aria-hidden />
        )
      }
      title={entry.name}
      description={<Description entry={entry} />}
      actions={
        <RestoreButton label={texts.restore} ariaLabel={texts.restoreNamed(entry.name)} restore={restore} />
      }
    />
  );
}

const Description = ({ entry }: { entry: TrashEntry }) => (
  <>
    {entry.kind === 'file' ? formatType(entry.mimeType) : countOf(entry.fileCount, 'file')} ·{' '}
    {formatBytes(entry.sizeBytes)}
    {entry.path !== '' && texts.from(entry.path)} {texts.deleted} <Time value={entry.dateDeleted} />
    {entry.deletedBy && texts.by(entry.deletedBy)} · {formatDaysLeft(entry.dateErased, Date.now())}
  </>
);
