import type { Month, Picture } from '../../api/timeline.ts';

/** A picture in its row, in pixels. */
interface Tile {
  /** Undefined until the month is loaded. */
  file: Picture | undefined;
  /** Position in the month. */
  index: number;
  left: number;
  width: number;
}

/** A row of pictures of the same height that fills the width. `top` is relative to the month. */
export interface Row {
  top: number;
  height: number;
  tiles: Tile[];
}

/** A month with its heading. `top` is relative to the timeline. */
export interface Section {
  month: string;
  top: number;
  height: number;
  /** Height of the month until it is loaded. */
  estimate: number;
  rows: Row[];
}

const HEADING_HEIGHT = 52;
const GAP = 4;
/** Space between months. */
const SPACE = 20;
/** Width divided by height of pictures that are not loaded or have unknown dimensions: that of most cameras. */
const USUAL_RATIO = 4 / 3;
/** Ratios beyond which pictures are cropped. */
const [NARROWEST, WIDEST] = [0.6, 2.4];

/** Returns the minimum height of rows of pictures for a width of the timeline. */
const rowHeight = (width: number) => (width < 600 ? 110 : 190);

/** The loaded files of each month. */
export type Loaded = ReadonlyMap<string, readonly Picture[]>;

/** Arranges months below each other. The heights of parts that are not loaded are estimated. */
export type LayOut = (months: readonly Month[], loaded: Loaded, width: number) => Section[];

interface Arranged {
  count: number;
  files: readonly Picture[];
  width: number;
  rows: Row[];
  estimate: number;
}

/** Returns a `LayOut` that arranges only the months that have changed since the last call. */
export function createLayOut(): LayOut {
  let before = new Map<string, Arranged>();

  function arrange({ month, count }: Month, files: readonly Picture[], width: number): Arranged {
    const known = before.get(month);
    if (known?.files === files && known.count === count && known.width === width) return known;
    const rows = layOutRows(count, files, width);
    const isSame = known?.count === count && known.width === width;
    const estimate = isSame ? known.estimate : heightOf(layOutRows(count, NONE, width));
    return { count, files, width, rows, estimate };
  }

  return (months, loaded, width) => {
    let top = 0;
    before = new Map(months.map((one) => [one.month, arrange(one, loaded.get(one.month) ?? NONE, width)]));
    return [...before].map(([month, { rows, estimate }]) => {
      const section = { month, top, height: heightOf(rows), estimate, rows };
      top += section.height;
      return section;
    });
  };
}

const NONE: readonly Picture[] = [];

/** Returns the height of a month with its heading and the space below it. */
function heightOf(rows: readonly Row[]): number {
  const last = rows.at(-1);
  return (last ? last.top + last.height : HEADING_HEIGHT) + SPACE;
}

function layOutRows(count: number, files: readonly Picture[], width: number): Row[] {
  const target = rowHeight(width);
  const rows: Row[] = [];
  let top = HEADING_HEIGHT;
  for (let index = 0; index < count; ) {
    const first = index;
    let ratios = 0;
    while (index < count && ratios * target + (index - first - 1) * GAP < width)
      ratios += ratioOf(files[index++]);
    const gaps = (index - first - 1) * GAP;
    // The last row is not stretched.
    const height = Math.min((width - gaps) / ratios, index < count ? Number.POSITIVE_INFINITY : target);
    rows.push({ top, height, tiles: tilesOf(files, { first, end: index, height }) });
    top += height + GAP;
  }
  return rows;
}

function tilesOf(files: readonly Picture[], row: { first: number; end: number; height: number }): Tile[] {
  const tiles: Tile[] = [];
  let left = 0;
  for (let index = row.first; index < row.end; index++) {
    const file = files[index];
    const width = ratioOf(file) * row.height;
    tiles.push({ file, index, left, width });
    left += width + GAP;
  }
  return tiles;
}

function ratioOf(file: Picture | undefined): number {
  const ratio = file?.width && file.height ? file.width / file.height : USUAL_RATIO;
  return Math.min(WIDEST, Math.max(NARROWEST, ratio));
}

/** A part of the timeline, in pixels from its top. */
export interface Range {
  start: number;
  end: number;
}

/** Returns the sections or rows that overlap a range. */
export const within = <Item extends { top: number; height: number }>(
  items: readonly Item[],
  { start, end }: Range,
): Item[] => items.filter(({ top, height }) => top < end && top + height > start);

/** Returns the row of a file, in pixels from the top of the timeline; null = it is not loaded. */
export function placeOf(sections: readonly Section[], id: string): { top: number; height: number } | null {
  for (const section of sections) {
    const row = section.rows.find(({ tiles }) => tiles.some(({ file }) => file?.id === id));
    if (row) return { top: section.top + row.top, height: row.height };
  }
  return null;
}

/** A picture in the timeline, and its distance in pixels from a line of the timeline. */
export interface Anchor {
  month: string;
  index: number;
  offset: number;
}

/** Returns the first picture at or below a line; null = there is none. */
export function anchorAt(sections: readonly Section[], line: number): Anchor | null {
  for (const section of sections.slice(sections.findIndex((one) => one.top + one.height > line))) {
    const row = section.rows.find((one) => section.top + one.top + one.height > line);
    if (row)
      return { month: section.month, index: row.tiles[0]?.index ?? 0, offset: section.top + row.top - line };
  }
  return null;
}

/** Returns the line that has the anchor's distance from its picture; null = the picture is gone. */
export function lineOf(sections: readonly Section[], { month, index, offset }: Anchor): number | null {
  const section = sections.find((one) => one.month === month);
  const row = section?.rows.find(({ tiles }) => (tiles.at(-1)?.index ?? 0) >= index);
  return section && row ? section.top + row.top - offset : null;
}
