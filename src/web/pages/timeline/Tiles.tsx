import { Play } from 'lucide-react';
import { memo, useState } from 'react';
import { shownName } from '../../../text/shown-name.ts';
import type { Picture } from '../../api/timeline.ts';
import { formatLocal, formatMonth } from '../../formats.ts';
import { EntryPicture } from '../files/EntryPicture.tsx';
import { fileEntry } from '../files/entries.ts';
import { type Range, type Section, within } from './layout.ts';

export const pictureElementId = (id: string) => `picture-${id}`;

interface MonthTilesProps {
  section: Section;
  /** The visible part, from the top of the timeline. */
  range: Range;
  /** Whether new tiles show only their placeholders. */
  isFast: boolean;
  open(id: string): void;
}

/** A month with the rows of pictures that are in the visible part. */
export function MonthTiles({ section, range: { start, end }, isFast, open }: MonthTilesProps) {
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
            {tile.file && <PictureButton file={tile.file} isFast={isFast} open={open} />}
          </div>
        )),
      )}
    </section>
  );
}

interface PictureButtonProps {
  file: Picture;
  isFast: boolean;
  open(id: string): void;
}

const PictureButton = memo(({ file, isFast, open }: PictureButtonProps) => {
  const { id, takenAt, mimeType, placeholder } = file;
  const name = shownName(file.originalName);
  // A picture that has been shown stays visible.
  const [isShown, setIsShown] = useState(!isFast);
  if (!isFast && !isShown) setIsShown(true);
  return (
    <button
      id={pictureElementId(id)}
      type="button"
      aria-label={takenAt ? `${name}, ${formatLocal(takenAt)}` : name}
      style={placeholder ? { backgroundImage: `url(data:image/webp;base64,${placeholder})` } : undefined}
      onClick={() => open(id)}
    >
      {(isShown || !placeholder) && <EntryPicture entry={fileEntry(file)} large eager />}
      {mimeType.startsWith('video/') && <Play className="timeline-play" size={22} aria-hidden />}
    </button>
  );
});
