import { memo } from 'react';
import { LocalDay, Time } from '../../../components/Time.tsx';
import { formatBytes } from '../../../formats.ts';
import { EntryPicture } from '../EntryPicture.tsx';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { AuthorsCell, authorsOf } from './Authors.tsx';
import { EntryCheckbox, EntryMenuButton, EntryName, SharingBadges } from './EntryControls.tsx';
import { useEntryItem } from './useEntryItem.ts';

interface EntryRowProps {
  entry: Entry;
  index: number;
  /** Distance from the top in pixels. */
  start: number;
  /** Whether to show when a picture was taken instead of when it was added. */
  showsTaken: boolean;
}

/** A row of the list. */
export const EntryRow = memo(function EntryRow({ entry, index, start, showsTaken }: EntryRowProps) {
  const item = useEntryItem(entry, index);
  const { isShared } = useFilesPage();
  const file = entry.kind === 'file' ? entry.file : null;
  const date = <EntryDate entry={entry} showsTaken={showsTaken} />;
  return (
    <tr
      className="entry-row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${start}px)` }}
      {...item.props}
    >
      <td className="cell-check">
        <EntryCheckbox name={entry.name} checked={item.isSelected} toggle={item.toggle} />
      </td>
      <td className="cell-name">
        <span className="cell-picture">
          <EntryPicture entry={entry} />
        </span>
        <span className="cell-title">
          <EntryName entry={entry} open={item.open} />
          {file && (
            <span className="cell-facts">
              <span className="fact-size">{formatBytes(file.sizeBytes)}</span>
              <span className="fact-date">{date}</span>
              {authorsOf(file) && <span className="fact-author">{authorsOf(file)}</span>}
            </span>
          )}
        </span>
        {file && <SharingBadges file={file} />}
      </td>
      {isShared && <AuthorsCell file={file} />}
      <td className="cell-size">{file && formatBytes(file.sizeBytes)}</td>
      <td className="cell-date">{date}</td>
      <td className="cell-menu">
        <EntryMenuButton name={entry.name} tabIndex={-1} showAt={item.showMenuAt} />
      </td>
    </tr>
  );
});

/** The time at which an entry was added, or with `showsTaken` the day on which a picture was taken, if known. */
function EntryDate({ entry, showsTaken }: Pick<EntryRowProps, 'entry' | 'showsTaken'>) {
  if (entry.kind === 'folder') return <Time value={entry.folder.dateCreated} />;
  const { takenAt, dateCreated } = entry.file;
  return showsTaken && takenAt ? <LocalDay value={takenAt} /> : <Time value={dateCreated} />;
}
