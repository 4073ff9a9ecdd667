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
    const { signal } = leaving;
    const opening = openPage(pdf, number);
    async function draw(target: HTMLCanvasElement) {
      const page = await opening;
      if (signal.aborted) return;
      setRatio(ratioOf(page));
      await drawPage(page, { canvas: target, width, signal });
      setState('drawn');
    }
    const drawing = canvas.current ? draw(canvas.current) : Promise.resolve();
    const settled = drawing.catch(() => {
      if (!signal.aborted) setState('failed');
    });
    return () => {
      leaving.abort();
      // Otherwise the decoded pictures of the page stay in memory.
      void settled.then(async () => (await opening).cleanup()).catch(() => {});
    };
  }, [pdf, number, width]);
  return (
    <div className="pdf-page" style={{ height: Math.round(width * ownRatio) }} data-state={state}>
      <canvas ref={canvas} role="img" aria-label={label} hidden={state === 'failed'} />
      {state === 'failed' && <p>{texts.failedPage(number)}</p>}
    </div>
  );
}
