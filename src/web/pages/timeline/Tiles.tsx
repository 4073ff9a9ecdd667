import { Play } from 'lucide-react';
import { memo } from 'react';
import type { FileItem } from '../../api/storage.ts';
import { formatLocal, formatMonth } from '../../formats.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { type Range, type Section, within } from './layout.ts';

interface MonthTilesProps {
  section: Section;
  /** The visible part, from the top of the timeline. */
  range: Range;
  open(id: string): void;
}

/** A month with the rows of pictures that are in the visible part. */
export function MonthTiles({ section, range: { start, end }, open }: MonthTilesProps) {
  const { month, top, height, rows } = section;
  return (
    <section className="timeline-month" style={{ top, height }} aria-labelledby={`month-${month}`}>
      <h2 id={`month-${month}`}>{formatMonth(month)}</h2>
      {within(rows, { start: start - top, end: end - top }).flatMap((row) =>
        row.tiles.map((tile) => (
          <div
            key={tile.file?.id ?? tile.index}
            className="timeline-tile"
            style={{ top: row.top, left: tile.left, width: tile.width, height: row.height }}
          >
            {tile.file && <PictureButton file={tile.file} open={open} />}
          </div>
        )),
      )}
    </section>
  );
}

const PictureButton = memo(({ file, open }: { file: FileItem; open(id: string): void }) => (
  <button
    type="button"
    aria-label={file.takenAt ? `${file.originalName}, ${formatLocal(file.takenAt)}` : file.originalName}
    onClick={() => open(file.id)}
  >
    <EntryPicture entry={fileEntry(file)} />
    {file.mimeType.startsWith('video/') && <Play className="timeline-play" size={22} aria-hidden />}
  </button>
));
