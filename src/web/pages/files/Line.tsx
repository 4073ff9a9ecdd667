import { EllipsisVertical } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { formatBytes } from '../../formats.ts';
import { Time } from '../../parts/Time.tsx';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import { EntryPicture } from './FileIcon.tsx';
import { cellId } from './Listing.tsx';
import { SharingSigns, useLine } from './line-parts.tsx';

/** One line of the list. @param start its distance from the top in pixels */
export const Line = memo(function Line({ entry, index, start }: { entry: Entry; index: number; start: number }) {
  const line = useLine(entry, index);
  const added = entry.kind === 'file' ? entry.file.dateCreated : entry.folder.dateCreated;
  return (
    <div
      id={cellId(entry)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={line.chosen}
      className="line"
      style={{ transform: `translateY(${start}px)` }}
      {...line.element}
    >
      <span role="gridcell" className="cell-check">
        <input type="checkbox" tabIndex={-1} checked={line.chosen} onChange={line.toggle} aria-label={texts.select(entry.name)} />
      </span>
      <span role="gridcell" className="cell-name">
        <span className="cell-picture">
          <EntryPicture entry={entry} />
        </span>
        <span className="cell-title">
          <EntryName entry={entry} open={line.open} />
          {entry.kind === 'file' && (
            <span className="cell-facts">
              {formatBytes(entry.file.sizeBytes)} · <Time value={added} />
            </span>
          )}
        </span>
        {entry.kind === 'file' && <SharingSigns file={entry.file} />}
      </span>
      <span role="gridcell" className="cell-size">
        {entry.kind === 'file' ? formatBytes(entry.file.sizeBytes) : ''}
      </span>
      <span role="gridcell" className="cell-date">
        <Time value={added} />
      </span>
      <span role="gridcell" className="cell-menu">
        <button type="button" className="icon-button" tabIndex={-1} onClick={line.offer} aria-label={texts.actionsFor(entry.name)}>
          <EllipsisVertical size={18} aria-hidden />
        </button>
      </span>
    </div>
  );
});

/** The name, which opens what it names. */
export function EntryName({ entry, open }: { entry: Entry; open: () => void }) {
  if (entry.kind === 'folder') {
    return (
      <Link href={`/files/${entry.id}`} className="entry-name" title={entry.name} draggable={false} tabIndex={-1}>
        {entry.name}
      </Link>
    );
  }
  return (
    <button type="button" className="entry-name" title={entry.name} onClick={open} tabIndex={-1}>
      {entry.name}
    </button>
  );
}
