import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  TextLayer,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PreviewFailure } from '../failure.ts';
import textStyle from './text-layer.css' with { type: 'text' };

/** Directory of the files that PDF.js loads (`src/web/build-pdf.ts`). */
const FILES = `/assets/pdfjs-${version}`;
/** Maximum number of pages of a file that are shown. */
export const MAX_PAGES = 2_000;
/** Maximum time of each operation; with a hostile file, it could take minutes. */
const TIMEOUT_MS = 20_000;
/** Maximum size of pictures in a page; larger ones are left out. */
const MAX_PICTURE_PIXELS = 50_000_000;
const MAX_CANVAS_PIXELS = 16_000_000;
const MAX_DENSITY = 2;
const MAX_RATIO = 10;
/** Maximum number of text runs of a page that can be selected: each becomes an element. */
const MAX_TEXT_RUNS = 10_000;
const MAX_LINKS = 200;

export type PdfDocument = PDFDocumentProxy;
export type PdfPage = PDFPageProxy;

/**
 * Opens a PDF file, and loads only the parts that are shown. It is parsed in a worker; no script in it runs.
 * @param signal closes the file when aborted
 * @throws Error when it is damaged, requires a password or takes too long, or the signal is aborted
 */
export async function openPdf(address: string, signal: AbortSignal): Promise<PdfDocument> {
  const port = new Worker(`${FILES}/legacy/build/pdf.worker.min.mjs`, { type: 'module' });
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    worker,
    url: address,
    cMapUrl: `${FILES}/cmaps/`,
    standardFontDataUrl: `${FILES}/standard_fonts/`,
    wasmUrl: `${FILES}/wasm/`,
    useWasm: false,
    maxImageSize: MAX_PICTURE_PIXELS,
    canvasMaxAreaInBytes: 4 * MAX_CANVAS_PIXELS,
    disableAutoFetch: true,
    disableStream: true,
  });
  const close = () => {
    // `destroy` waits for the worker, which a hostile file can keep busy.
    task.destroy().catch(() => {});
    worker.destroy();
    port.terminate();
  };
  signal.addEventListener('abort', close);
  try {
    return await within(task.promise);
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the reason why a PDF file cannot be opened. */
export function pdfFailure(error: unknown): PreviewFailure {
  if (error instanceof PasswordException) return 'password';
  return error instanceof InvalidPDFException ? 'damaged' : 'unknown';
}

/** Returns a page by its number, from 1. @throws Error when it is damaged or takes too long */
export const openPage = (pdf: PdfDocument, number: number) => within(pdf.getPage(number));

/** Returns the height of a page divided by its width, within bounds; pages beyond them are shown with margins. */
export function ratioOf(page: PdfPage): number {
  const { width, height } = page.getViewport({ scale: 1 });
  return Math.min(Math.max(height / width, 1 / MAX_RATIO), MAX_RATIO) || 1;
}

/**
 * Draws a page. The canvas keeps its content until the drawing is complete. @param width of the canvas in CSS pixels
 * @throws Error when the page cannot be drawn or takes too long, or the signal is aborted
 */
export async function drawPage(
  page: PdfPage,
  { canvas, width, signal }: { canvas: HTMLCanvasElement; width: number; signal: AbortSignal },
): Promise<void> {
  const natural = page.getViewport({ scale: 1 });
  const wanted = (width / natural.width) * Math.min(window.devicePixelRatio, MAX_DENSITY);
  const largest = Math.sqrt(MAX_CANVAS_PIXELS / (natural.width * natural.height));
  const viewport = page.getViewport({ scale: Math.min(wanted, largest) });
  const drawing = document.createElement('canvas');
  drawing.width = Math.max(1, Math.floor(viewport.width));
  drawing.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas: drawing, viewport });
  const cancel = () => task.cancel();
  signal.addEventListener('abort', cancel);
  try {
    await within(task.promise);
    canvas.width = drawing.width;
    canvas.height = drawing.height;
    canvas.getContext('2d')?.drawImage(drawing, 0, 0);
  } finally {
    cancel();
    signal.removeEventListener('abort', cancel);
    // Frees the memory immediately, which browsers do late.
    drawing.width = 0;
  }
}

/** Adds the style sheet of the text layer of pages to the document. Returns a function that removes it. */
export function adoptTextStyle(): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(textStyle);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

/**
 * Adds the text of a page to an element, transparent and where the page shows it, so that it can be selected. It is
 * scaled by `--total-scale-factor`, in pixels per point. @throws Error when it cannot be read or takes too long
 */
export async function addText(page: PdfPage, container: HTMLElement, signal: AbortSignal): Promise<void> {
  const { items, ...content } = await within(page.getTextContent());
  if (signal.aborted) return;
  const layer = new TextLayer({
    textContentSource: { ...content, items: items.slice(0, MAX_TEXT_RUNS) },
    container,
    viewport: page.getViewport({ scale: 1 }),
  });
  await within(layer.render());
}

/** A link of a page to another site, with its edges in percent of the page. */
export interface PdfLink {
  address: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns the links of a page to other sites. @throws Error when they cannot be read or take too long */
export async function linksOf(page: PdfPage): Promise<PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations: { subtype?: string; url?: unknown; rect?: number[] }[] = await within(
    page.getAnnotations(),
  );
  return annotations
    .flatMap(({ subtype, url, rect }) => {
      if (subtype !== 'Link' || typeof url !== 'string' || !/^https?:/i.test(url) || !rect) return [];
      const [left = 0, bottom = 0, right = 0, top = 0] = rect;
      const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, bottom);
      const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, top);
      return {
        address: url,
        left: (100 * Math.min(x1, x2)) / viewport.width,
        top: (100 * Math.min(y1, y2)) / viewport.height,
        width: (100 * Math.abs(x2 - x1)) / viewport.width,
        height: (100 * Math.abs(y2 - y1)) / viewport.height,
      };
    })
    .slice(0, MAX_LINKS);
}

/** @throws Error after the time limit */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  let timer: number | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('the PDF file takes too long')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    window.clearTimeout(timer);
  }
}
