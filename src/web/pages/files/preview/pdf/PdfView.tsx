import { useEffect, useLayoutEffect, useState } from 'react';
import { PageLoader } from '../../../../components/PageLoader.tsx';
import type { Previewed } from '../content.ts';
import type { PreviewFailure } from '../failure.ts';
import { adoptTextStyle, openPage, openPdf, type PdfDocument, pdfFailure, ratioOf } from './document.ts';
import { PdfPages } from './PdfPages.tsx';

interface PdfViewProps {
  content: Previewed;
  /** Called when the file cannot be displayed. */
  fail(failure: PreviewFailure): void;
}

/** The pages of a PDF file, drawn as they scroll into view. */
export function PdfView({ content, fail }: PdfViewProps) {
  useLayoutEffect(adoptTextStyle, []);
  const opened = useDocument(`${content.address}?inline=1`, fail);
  return opened ? <PdfPages {...opened} /> : <PageLoader />;
}

interface Opened {
  pdf: PdfDocument;
  /** Height divided by width of the first page. */
  ratio: number;
}

function useDocument(address: string, fail: PdfViewProps['fail']): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    const closing = new AbortController();
    async function open() {
      const pdf = await openPdf(address, closing.signal);
      const ratio = ratioOf(await openPage(pdf, 1));
      if (!closing.signal.aborted) setOpened({ pdf, ratio });
    }
    open().catch((error: unknown) => {
      if (!closing.signal.aborted) fail(pdfFailure(error));
      closing.abort();
    });
    return () => closing.abort();
  }, [address, fail]);
  return opened;
}
