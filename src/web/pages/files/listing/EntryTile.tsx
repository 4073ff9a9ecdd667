import { memo } from 'react';
import { formatBytes } from '../../../formats.ts';
import { EntryPicture } from '../EntryPicture.tsx';
import type { Entry } from '../entries.ts';
import { authorsOf } from './Authors.tsx';
import { EntryCheckbox, EntryMenuButton, EntryName, SharingBadges } from './EntryControls.tsx';
import { useEntryItem } from './useEntryItem.ts';

/** A cell of the grid, with a large picture. */
export const EntryTile = memo(function EntryTile({ entry, index }: { entry: Entry; index: number }) {
  const item = useEntryItem(entry, index);
  const file = entry.kind === 'file' ? entry.file : null;
  return (
    <td className="tile" {...item.props}>
      <div className="tile-picture">
        <EntryPicture entry={entry} large />
        <EntryCheckbox name={entry.name} checked={item.isSelected} toggle={item.toggle} />
      </div>
      <div className="tile-footer">
        <span className="cell-title">
          <EntryName entry={entry} open={item.open} />
          {file && (
            <span className="tile-size" title={authorsOf(file) ?? undefined}>
              {[formatBytes(file.sizeBytes), authorsOf(file)].filter(Boolean).join(' · ')}
            </span>
          )}
        </span>
        {file && <SharingBadges file={file} />}
        <EntryMenuButton name={entry.name} tabIndex={-1} showAt={item.showMenuAt} />
      </div>
    </td>
  );
});
