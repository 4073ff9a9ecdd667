import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react';
import { addText, drawPage, linksOf, type PdfLink, type PdfPage, ratioOf } from './document.ts';

interface PdfSheetProps {
  page: PdfPage;
  /** Available width in pixels; the sheet is narrower if it would be too high. */
  width: number;
  label: string;
  settle(state: 'drawn' | 'failed'): void;
}

/** Delay between the last change of size and the next drawing. */
const REDRAW_MS = 150;

/** The picture of a page, with its text and its links above it. */
export function PdfSheet({ page, width, label, settle }: PdfSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(width / natural.width, (width * ratioOf(page)) / natural.height);
  useDrawing({ canvas, page, width: natural.width * scale, settle });
  useText(text, page);
  const style: CSSProperties & Record<`--${string}`, number> = {
    width: natural.width * scale,
    height: natural.height * scale,
    '--total-scale-factor': scale,
  };
  return (
    <div className="pdf-sheet" style={style}>
      <canvas ref={canvas} role="img" aria-label={label} />
      <div className="pdf-text" ref={text} />
      {useLinks(page).map(({ address, left, top, width, height }, index) => (
        <a
          key={index}
          className="pdf-link"
          href={address}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={address}
          style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
        >
          {address}
        </a>
      ))}
    </div>
  );
}

interface Drawing extends Pick<PdfSheetProps, 'page' | 'width' | 'settle'> {
  canvas: RefObject<HTMLCanvasElement | null>;
}

function useDrawing({ canvas, page, width, settle }: Drawing): void {
  const isDrawn = useRef(false);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    async function draw() {
      if (!canvas.current) return;
      await drawPage(page, { canvas: canvas.current, width, signal });
      isDrawn.current = true;
      settle('drawn');
    }
    const timer = window.setTimeout(
      () => draw().catch(() => signal.aborted || settle('failed')),
      isDrawn.current ? REDRAW_MS : 0,
    );
    return () => {
      window.clearTimeout(timer);
      leaving.abort();
    };
  }, [canvas, page, width, settle]);
}

function useText(container: RefObject<HTMLElement | null>, page: PdfPage): void {
  useEffect(() => {
    const leaving = new AbortController();
    const element = container.current;
    // Without its text layer, a page can still be read as a picture.
    if (element) addText(page, element, leaving.signal).catch(() => {});
    return () => {
      leaving.abort();
      element?.replaceChildren();
    };
  }, [container, page]);
}

function useLinks(page: PdfPage): readonly PdfLink[] {
  const [links, setLinks] = useState<readonly PdfLink[]>([]);
  useEffect(() => {
    let isOpen = true;
    linksOf(page).then(
      (found) => isOpen && setLinks(found),
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [page]);
  return links;
}
