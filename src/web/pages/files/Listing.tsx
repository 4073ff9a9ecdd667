import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { fileTexts as texts } from '../../texts/files.ts';
import type { Entry } from './entries.ts';
import { useFilesPage } from './FilesContext.ts';
import { Line } from './Line.tsx';
import { Tile } from './Tile.tsx';

interface ListingProps {
  entries: readonly Entry[];
  mode: 'list' | 'grid';
  /** Name of the folder. */
  name: string;
  /** The heads of the columns, in list mode. */
  head: ReactNode;
}

const LINE_HEIGHT = 52;
const TILE_HEIGHT = 196;
const TILE_WIDTH = 168;

export const cellId = (entry: Entry) => `entry-${entry.id}`;

/** The lines of a folder, as many drawn as are seen. Keys: arrows, Home, End, Space, Enter, Ctrl+A, Escape, Menu (others: the page). */
export function Listing({ entries, mode, name, head }: ListingProps) {
  const { selection, open, offer } = useFilesPage();
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const columns = mode === 'grid' ? Math.max(2, Math.floor(width / TILE_WIDTH)) : 1;
  const rows = useVirtualizer({
    count: Math.ceil(entries.length / columns),
    getScrollElement: () => scroller.current,
    estimateSize: () => (mode === 'grid' ? TILE_HEIGHT : LINE_HEIGHT),
    overscan: 8,
    scrollPaddingStart: mode === 'list' ? 40 : 8,
    scrollPaddingEnd: 8,
  });
  useEffect(() => rows.measure(), [mode, columns]);

  function goTo(index: number, extend: boolean) {
    const inside = Math.max(0, Math.min(entries.length - 1, index));
    if (extend) selection.choose(inside, { range: true });
    else selection.goTo(inside);
    rows.scrollToIndex(Math.floor(inside / columns));
  }

  function offerActive() {
    const entry = entries[selection.active];
    const box = entry && document.getElementById(cellId(entry))?.getBoundingClientRect();
    if (box) offer(entry, selection.active, { x: box.left + Math.min(48, box.width / 2), y: box.bottom });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) return;
    const { active } = selection;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / (mode === 'grid' ? TILE_HEIGHT : LINE_HEIGHT)) - 1);
    const steps: Record<string, number> = {
      ArrowDown: active < 0 ? 0 : active + columns,
      ArrowUp: active - columns,
      PageDown: active + page * columns,
      PageUp: active - page * columns,
      Home: 0,
      End: entries.length - 1,
      ...(mode === 'grid' ? { ArrowRight: active + 1, ArrowLeft: active - 1 } : {}),
    };
    const target = steps[event.key];
    const entry = entries[active];
    if (target !== undefined) goTo(target, event.shiftKey);
    else if (event.key === ' ') selection.choose(Math.max(0, active), { toggle: true });
    else if (event.key === 'Enter' && entry) open(entry);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) selection.chooseAll();
    else if (event.key === 'Escape') selection.clear();
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) offerActive();
    else return;
    event.preventDefault();
  }

  const active = entries[selection.active];
  const drawn = rows.getVirtualItems();
  const isDrawn = drawn.some(({ index }) => index === Math.floor(selection.active / columns));
  return (
    <div
      ref={scroller}
      className={`listing ${mode}`}
      role="grid"
      aria-label={texts.listing(name)}
      aria-multiselectable
      aria-rowcount={rows.options.count + (mode === 'list' ? 1 : 0)}
      aria-activedescendant={active && isDrawn ? cellId(active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        // Asked for by a key: with the pointer it comes from a line.
        if (event.target !== event.currentTarget || event.button === 2) return;
        event.preventDefault();
        offerActive();
      }}
    >
      {mode === 'list' && head}
      <div role="rowgroup" className="listing-rows" style={{ height: rows.getTotalSize() }}>
        {drawn.map(({ index, start }) => {
          const entry = entries[index];
          if (mode === 'list') return entry && <Line key={entry.id} entry={entry} index={index} start={start} />;
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 1}
              className="tile-row"
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
            >
              {entries.slice(index * columns, (index + 1) * columns).map((inner, place) => (
                <Tile key={inner.id} entry={inner} index={index * columns + place} />
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
