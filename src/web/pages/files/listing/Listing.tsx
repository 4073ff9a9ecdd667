import { Table } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, type UIEvent, useEffect, useRef, useState } from 'react';
import type { Entry } from '../entries.ts';
import { useFilesPage } from '../FilesContext.ts';
import { texts } from '../texts.ts';
import type { useView } from '../useView.ts';
import { EntryRow } from './EntryRow.tsx';
import { EntryTile } from './EntryTile.tsx';
import { ListHeader } from './ListHeader.tsx';
import { entryElementId } from './useEntryItem.ts';
import { useGridKeys } from './useGridKeys.ts';
import { useLastShown } from './useLastShown.ts';

interface ListingProps {
  entries: readonly Entry[];
  view: ReturnType<typeof useView>;
  name: string;
}

const TILE_WIDTH = 168;
/** The header covers the rows at the top, and moves all rows down by its height. */
const LIST = { rowHeight: 52, scrollPaddingStart: 40, scrollPaddingEnd: 52 };
const TILES = { rowHeight: 196, scrollPaddingStart: 8, scrollPaddingEnd: 8 };

/**
 * The entries of a folder, as a list or as tiles. A table with the role `grid`
 * (https://www.w3.org/WAI/ARIA/apg/patterns/grid/) that renders only the visible rows.
 */
export function Listing({ entries, view, name }: ListingProps) {
  const { selection, isShared } = useFilesPage();
  const scroller = useRef<HTMLTableElement>(null);
  const { ref, width } = useElementSize<HTMLTableElement>();
  const isList = view.view.mode === 'list';
  const columns = isList ? 1 : Math.max(2, Math.floor(width / TILE_WIDTH));
  const rows = useRows(scroller, entries, columns, isList);
  const keys = useGridKeys({
    entries,
    columns,
    scroller,
    rowHeight: rows.rowHeight,
    scrollTo: rows.scrollTo,
  });

  useLastShown({
    follow(id) {
      const index = entries.findIndex((entry) => entry.id === id);
      if (index < 0) return;
      selection.activate(index);
      rows.scrollTo(index);
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
  });

  const { isQuiet, onBlur } = useQuietFocus(scroller, entries);
  const scrolled = useScrolled();
  const active = entries[selection.active];
  const isActiveRendered = rows.items.some(({ index }) => index === Math.floor(selection.active / columns));
  return (
    <Table
      unstyled
      ref={useMergedRef(scroller, ref)}
      className={isList ? 'listing list' : 'listing'}
      data-shared={isShared || undefined}
      data-quiet={(isQuiet && selection.active < 0) || undefined}
      role="grid"
      aria-label={texts.contentsOf(name)}
      aria-multiselectable
      aria-rowcount={rows.count + (isList ? 1 : 0)}
      aria-activedescendant={active && isActiveRendered ? entryElementId(active) : undefined}
      tabIndex={0}
      onBlur={onBlur}
      {...scrolled}
      {...keys}
    >
      {isList && <ListHeader view={view} count={entries.length} />}
      <tbody className="listing-rows" style={{ height: rows.height }}>
        {rows.items.map(({ index, start }) => {
          const row = entries.slice(index * columns, (index + 1) * columns);
          const [first] = row;
          if (isList)
            return (
              first && (
                <EntryRow
                  key={first.id}
                  entry={first}
                  index={index}
                  start={start}
                  showsTaken={view.view.sort === 'taken'}
                />
              )
            );
          return <TileRow key={index} row={row} index={index} start={start} columns={columns} />;
        })}
      </tbody>
    </Table>
  );
}

interface TileRowProps {
  row: readonly Entry[];
  index: number;
  /** Distance from the top, in pixels. */
  start: number;
  columns: number;
}

function TileRow({ row, index, start, columns }: TileRowProps) {
  return (
    <tr
      aria-rowindex={index + 1}
      className="tile-row"
      style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
    >
      {row.map((entry, column) => (
        <EntryTile key={entry.id} entry={entry} index={index * columns + column} />
      ))}
    </tr>
  );
}

/**
 * Focuses the list if nothing else has the focus, so that arrow keys and shortcuts work immediately, also after the
 * focused row was deleted. The focus ring is shown after the first key.
 */
function useQuietFocus(scroller: RefObject<HTMLElement | null>, entries: readonly Entry[]) {
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    scroller.current?.focus({ preventScroll: true });
    setQuiet(true);
  }, [entries]);
  return { isQuiet, onBlur: () => setQuiet(false) };
}

/** Height in pixels of the elements that a short window hides while the list is scrolled, with a margin. */
const SURROUNDINGS = 240;

/** Marks a scrolled list, unless it would fit without scrolling once its surroundings are hidden. */
function useScrolled() {
  const [isScrolled, setScrolled] = useState(false);
  return {
    'data-scrolled': isScrolled || undefined,
    onScroll({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent) {
      setScrolled((before) => scrollTop > 0 && (before || scrollHeight - clientHeight > SURROUNDINGS));
    },
  };
}

function useRows(
  scroller: RefObject<HTMLElement | null>,
  entries: readonly Entry[],
  columns: number,
  isList: boolean,
) {
  const { rowHeight, scrollPaddingStart, scrollPaddingEnd } = isList ? LIST : TILES;
  const count = Math.ceil(entries.length / columns);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart,
    scrollPaddingEnd,
  });
  useEffect(() => rows.measure(), [rowHeight, columns]);
  return {
    count,
    rowHeight,
    height: rows.getTotalSize(),
    items: rows.getVirtualItems(),
    scrollTo: (entry: number) => rows.scrollToIndex(Math.floor(entry / columns)),
  };
}
