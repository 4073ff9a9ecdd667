import { EllipsisVertical } from 'lucide-react';
import { memo } from 'react';
import { formatBytes } from '../../formats.ts';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import { EntryPicture } from './FileIcon.tsx';
import { EntryName } from './Line.tsx';
import { cellId } from './Listing.tsx';
import { SharingSigns, useLine } from './line-parts.tsx';

/** One thing of the grid, with its picture. */
export const Tile = memo(function Tile({ entry, index }: { entry: Entry; index: number }) {
  const line = useLine(entry, index);
  return (
    <div id={cellId(entry)} role="gridcell" aria-selected={line.chosen} className="tile" {...line.element}>
      <div className="tile-picture">
        <EntryPicture entry={entry} large />
        <input type="checkbox" tabIndex={-1} checked={line.chosen} onChange={line.toggle} aria-label={texts.select(entry.name)} />
      </div>
      <div className="tile-foot">
        <span className="cell-title">
          <EntryName entry={entry} open={line.open} />
          {entry.kind === 'file' && <span className="tile-size">{formatBytes(entry.file.sizeBytes)}</span>}
        </span>
        {entry.kind === 'file' && <SharingSigns file={entry.file} />}
        <button type="button" className="icon-button" tabIndex={-1} onClick={line.offer} aria-label={texts.actionsFor(entry.name)}>
          <EllipsisVertical size={16} aria-hidden />
        </button>
      </div>
    </div>
  );
});
