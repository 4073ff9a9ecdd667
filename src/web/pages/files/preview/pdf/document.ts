import {
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Directory of the files that PDF.js loads (`src/web/build-pdf.ts`). */
const FILES = `/assets/pdfjs-${version}`;
/** Further pages of a file are not shown. */
export const MAX_PAGES = 2_000;
/** Hostile files take minutes. */
const TIMEOUT_MS = 20_000;
/** Larger pictures in a page are left out. */
const MAX_PICTURE_PIXELS = 50_000_000;
const MAX_CANVAS_PIXELS = 16_000_000;
const MAX_DENSITY = 2;
const MAX_RATIO = 10;

export type PdfDocument = PDFDocumentProxy;

/**
 * Opens a PDF file, of which only the parts that are shown are loaded. It is parsed in a worker; no script in it runs.
 * @throws Error when it is damaged, requires a password or takes too long, or the signal is aborted, which also closes
 *   it
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
    // It waits for an answer of the worker, which a hostile file can keep busy.
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

/** Reports whether `openPdf` failed because the file requires a password. */
export const isLocked = (error: unknown) => error instanceof PasswordException;

/** Returns a page; its number begins with 1. @throws Error when it is damaged or takes too long */
export const openPage = (pdf: PdfDocument, number: number) => within(pdf.getPage(number));

/** Returns the height of a page by its width, within bounds: narrower and wider ones have margins. */
export function ratioOf(page: PDFPageProxy): number {
  const { width, height } = page.getViewport({ scale: 1 });
  return Math.min(Math.max(height / width, 1 / MAX_RATIO), MAX_RATIO) || 1;
}

/**
 * Draws a page. @param width of the canvas on the screen, in pixels of CSS
 * @throws Error when it cannot be drawn, takes too long, or the signal is aborted
 */
export async function drawPage(
  page: PDFPageProxy,
  { canvas, width, signal }: { canvas: HTMLCanvasElement; width: number; signal: AbortSignal },
): Promise<void> {
  const natural = page.getViewport({ scale: 1 });
  const wanted = (width / natural.width) * Math.min(window.devicePixelRatio, MAX_DENSITY);
  const largest = Math.sqrt(MAX_CANVAS_PIXELS / (natural.width * natural.height));
  const viewport = page.getViewport({ scale: Math.min(wanted, largest) });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport });
  const cancel = () => task.cancel();
  signal.addEventListener('abort', cancel);
  try {
    await within(task.promise);
  } finally {
    cancel();
    signal.removeEventListener('abort', cancel);
  }
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
