import { useEffect, useState } from 'react';
import { texts } from '../texts.ts';
import { openPage, type PdfDocument, type PdfPage as PdfPageData, ratioOf } from './document.ts';
import { PdfSheet } from './PdfSheet.tsx';

interface PdfPageProps {
  pdf: PdfDocument;
  number: number;
  /** Width in pixels. */
  width: number;
  /** Expected height divided by width. */
  ratio: number;
  label: string;
  /** Called with the actual height divided by width. */
  measured(number: number, ratio: number): void;
}

export function PdfPage({ pdf, number, width, ratio, label, measured }: PdfPageProps) {
  const [page, setPage] = useState<PdfPageData>();
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  useEffect(() => {
    let isOpen = true;
    const opening = openPage(pdf, number);
    opening.then(
      (opened) => {
        if (!isOpen) return;
        measured(number, ratioOf(opened));
        setPage(opened);
      },
      () => isOpen && setState('failed'),
    );
    return () => {
      isOpen = false;
      // Otherwise the decoded pictures of the page stay in memory.
      opening.then((opened) => opened.cleanup()).catch(() => {});
    };
  }, [pdf, number, measured]);
  return (
    <div className="pdf-page" style={{ height: width * (page ? ratioOf(page) : ratio) }} data-state={state}>
      {state === 'failed' ? (
        <p>{texts.failedPage(number)}</p>
      ) : (
        page && <PdfSheet page={page} width={width} label={label} settle={setState} />
      )}
    </div>
  );
}
