import { useEffect, useRef, useState } from 'react';
import { texts } from '../texts.ts';
import { drawPage, openPage, type PdfDocument, ratioOf } from './document.ts';

interface PdfPageProps {
  pdf: PdfDocument;
  number: number;
  /** Pixels. */
  width: number;
  /** Expected height by width. */
  ratio: number;
  label: string;
}

/** A page of a PDF file. */
export function PdfPage({ pdf, number, width, ratio, label }: PdfPageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ownRatio, setRatio] = useState(ratio);
  const [state, setState] = useState<'drawing' | 'drawn' | 'failed'>('drawing');
  useEffect(() => {
    const leaving = new AbortController();
    async function draw(target: HTMLCanvasElement) {
      const page = await openPage(pdf, number);
      if (leaving.signal.aborted) return;
      setRatio(ratioOf(page));
      await drawPage(page, { canvas: target, width, signal: leaving.signal });
      setState('drawn');
    }
    if (canvas.current)
      draw(canvas.current).catch(() => {
        if (!leaving.signal.aborted) setState('failed');
      });
    return () => leaving.abort();
  }, [pdf, number, width]);
  return (
    <div className="pdf-page" style={{ height: Math.round(width * ownRatio) }} data-state={state}>
      <canvas ref={canvas} role="img" aria-label={label} hidden={state === 'failed'} />
      {state === 'failed' && <p>{texts.failedPage(number)}</p>}
    </div>
  );
}
