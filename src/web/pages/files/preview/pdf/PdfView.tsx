import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { PageLoader } from '../../../../components/PageLoader.tsx';
import { formatNumber } from '../../../../formats.ts';
import type { Previewed } from '../content.ts';
import { ScrollRegion } from '../ScrollRegion.tsx';
import { texts } from '../texts.ts';
import { MAX_PAGES, openPage, openPdf, type PdfDocument, ratioOf } from './document.ts';
import { PdfPage } from './PdfPage.tsx';

interface PdfViewProps {
  content: Previewed;
  /** Called when the file cannot be displayed. */
  fail(): void;
}

const GAP = 12;
/** Pages that are drawn above and below the visible ones. */
const AHEAD = 1;

/** The pages of a PDF file, drawn as they scroll into view. */
export function PdfView({ content, fail }: PdfViewProps) {
  const opened = useDocument(`${content.address}?inline=1`, fail);
  return opened ? <Pages {...opened} /> : <PageLoader />;
}

interface Opened {
  pdf: PdfDocument;
  /** Height of the first page by its width, which the others are expected to have. */
  ratio: number;
}

function useDocument(address: string, fail: () => void): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const closing = new AbortController();
    async function open() {
      const pdf = await openPdf(address, closing.signal);
      const ratio = ratioOf(await openPage(pdf, 1));
      if (!closing.signal.aborted) setOpened({ pdf, ratio });
    }
    open().catch(() => {
      if (!closing.signal.aborted) fail();
      closing.abort();
    });
    return () => closing.abort();
  }, [address, fail]);
  return opened;
}

function Pages({ pdf, ratio }: Opened) {
  const scroller = useRef<HTMLElement>(null);
  const { ref, width } = useElementSize<HTMLElement>();
  const count = Math.min(pdf.numPages, MAX_PAGES);
  const pages = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => Math.round(width * ratio) + GAP,
    overscan: AHEAD,
  });
  return (
    <ScrollRegion className="pdf-view" ref={useMergedRef<HTMLElement>(scroller, ref)}>
      <div className="pdf-pages" style={{ height: pages.getTotalSize() }}>
        {width > 0 &&
          pages.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              ref={pages.measureElement}
              data-index={index}
              className="pdf-place"
              style={{ transform: `translateY(${start}px)`, paddingBottom: GAP }}
            >
              <PdfPage
                pdf={pdf}
                number={index + 1}
                width={width}
                ratio={ratio}
                label={texts.page(index + 1, count)}
              />
            </div>
          ))}
      </div>
      {pdf.numPages > MAX_PAGES && (
        <p className="files-note">{texts.boundedPages(formatNumber(MAX_PAGES))}</p>
      )}
    </ScrollRegion>
  );
}
