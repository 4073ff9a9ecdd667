import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef } from 'react';
import { formatNumber } from '../../../../formats.ts';
import { ScrollRegion } from '../ScrollRegion.tsx';
import { texts } from '../texts.ts';
import { MAX_PAGES, type PdfDocument } from './document.ts';
import { PdfBar } from './PdfBar.tsx';
import { PdfPage } from './PdfPage.tsx';
import { useZoom } from './useZoom.ts';

interface PdfPagesProps {
  pdf: PdfDocument;
  /** Height divided by width of the first page, expected of the others too. */
  ratio: number;
}

/** Gap in pixels between pages that are as wide as the window. */
const GAP = 12;
/** Number of pages that are drawn above and below the visible ones. */
const AHEAD = 1;

/** The pages of a PDF file, and their bar. */
export function PdfPages({ pdf, ratio }: PdfPagesProps) {
  const scroller = useRef<HTMLElement>(null);
  const { ref, width: available, height } = useElementSize<HTMLElement>();
  const ratios = useRef(new Map<number, number>());
  const layout = useRef({ width: 0, gap: GAP });
  const count = Math.min(pdf.numPages, MAX_PAGES);
  const pages = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => layout.current.width * (ratios.current.get(index) ?? ratio) + layout.current.gap,
    overscan: AHEAD,
  });
  const zoom = useZoom(scroller, pages.getTotalSize());
  const width = available * zoom.zoom;
  const gap = GAP * zoom.zoom;
  useLayoutEffect(() => {
    layout.current = { width, gap };
    pages.measure();
  }, [pages, width, gap]);
  const measured = useCallback(
    (number: number, own: number) => {
      ratios.current.set(number - 1, own);
      pages.resizeItem(number - 1, layout.current.width * own + layout.current.gap);
    },
    [pages],
  );
  const offset = pages.scrollOffset ?? 0;
  // The first page at the start and the last one at the end, even if the window shows several.
  const progress = offset / Math.max(1, pages.getTotalSize() - height);
  const current = pages.getVirtualItemForOffset(offset + height * Math.min(progress, 1));
  return (
    <div className="pdf">
      <PdfBar page={(current?.index ?? 0) + 1} count={count} zoom={zoom} />
      <ScrollRegion className="pdf-view" ref={useMergedRef<HTMLElement>(scroller, ref)}>
        <div className="pdf-pages" style={{ width, height: pages.getTotalSize() }}>
          {width > 0 &&
            pages.getVirtualItems().map(({ index, start }) => (
              <div key={index} className="pdf-place" style={{ transform: `translateY(${start}px)` }}>
                <PdfPage
                  pdf={pdf}
                  number={index + 1}
                  width={width}
                  ratio={ratios.current.get(index) ?? ratio}
                  label={texts.page(index + 1, count)}
                  measured={measured}
                />
              </div>
            ))}
        </div>
        {pdf.numPages > MAX_PAGES && (
          <p className="files-note">{texts.boundedPages(formatNumber(MAX_PAGES))}</p>
        )}
      </ScrollRegion>
    </div>
  );
}
