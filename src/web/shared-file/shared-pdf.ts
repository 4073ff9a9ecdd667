import {
  addText,
  adoptTextStyle,
  drawPage,
  MAX_PAGES,
  openPage,
  openPdf,
  type PdfDocument,
  type PdfPage,
  pdfFailure,
  ratioOf,
} from '../pages/files/preview/pdf/document.ts';
import { texts } from '../pages/files/preview/texts.ts';

/*
 * Shows the pages of a PDF file on the public page of the file, drawn as they scroll into view. The script of that page
 * imports this module if the browser has no PDF viewer, or the server could not render the file. The import rejects if
 * the file cannot be displayed for an unknown reason.
 */

/** How far beyond the visible part pages are drawn, in percent of its height. */
const AHEAD = '50%';

const place = document.querySelector<HTMLElement>('.file [data-pdf]');
if (place) await replace(place);

async function replace(place: HTMLElement): Promise<void> {
  const { pdf: address = '', label = '' } = place.dataset;
  const closing = new AbortController();
  try {
    const pdf = await openPdf(address, closing.signal);
    const ratio = ratioOf(await openPage(pdf, 1));
    adoptTextStyle();
    place.replaceWith(...pagesOf(pdf, { ratio, label }));
  } catch (error) {
    closing.abort();
    const failure = pdfFailure(error);
    if (failure === 'unknown') throw error;
    // The server may have drawn the first page of a damaged file.
    const picture = place.querySelector('img');
    place.replaceWith(...(picture ? [picture] : []), paragraph(texts.failures[failure], 'notice'));
  }
}

interface PagesOptions {
  /** Expected height of a page divided by its width. */
  ratio: number;
  label: string;
}

/** Returns the element with all pages, and a note if there are more. */
function pagesOf(pdf: PdfDocument, { ratio, label }: PagesOptions): HTMLElement[] {
  const count = Math.min(pdf.numPages, MAX_PAGES);
  const scroller = document.createElement('div');
  scroller.className = 'pages';
  scroller.tabIndex = 0;
  scroller.role = 'group';
  scroller.ariaLabel = label;
  const pages = new Map<Element, Page>();
  for (let number = 1; number <= count; number++) {
    const place = document.createElement('div');
    place.style.aspectRatio = String(1 / ratio);
    pages.set(place, createPage(pdf, number, { place, label: texts.page(number, count) }));
  }
  scroller.append(...pages.keys());
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) pages.get(target)?.show();
        else pages.get(target)?.hide();
    },
    { root: scroller, rootMargin: `${AHEAD} 0px` },
  );
  for (const place of pages.keys()) seen.observe(place);
  new ResizeObserver(() => {
    for (const page of pages.values()) page.fit();
  }).observe(scroller);
  if (pdf.numPages <= MAX_PAGES) return [scroller];
  const bound = MAX_PAGES.toLocaleString(document.documentElement.lang);
  return [scroller, paragraph(texts.boundedPages(bound), 'muted')];
}

interface Page {
  show(): void;
  /** Removes the drawing. */
  hide(): void;
  /** Draws the page again if it is shown and its place has another width. */
  fit(): void;
}

interface PlaceOfPage {
  place: HTMLElement;
  /** Accessible name of the page. */
  label: string;
}

function createPage(pdf: PdfDocument, number: number, { place, label }: PlaceOfPage): Page {
  let drawing: AbortController | undefined;
  let width = 0;

  async function draw(signal: AbortSignal): Promise<void> {
    const page = await openPage(pdf, number);
    try {
      if (signal.aborted) return;
      place.style.aspectRatio = String(1 / ratioOf(page));
      const { sheet, canvas, text } = createSheet(page, width);
      canvas.ariaLabel = label;
      await drawPage(page, { canvas, width: Number.parseFloat(sheet.style.width), signal });
      place.replaceChildren(sheet);
      place.dataset.state = 'drawn';
      // Without its text layer, a page can still be read as a picture.
      await addText(page, text, signal).catch(() => {});
    } finally {
      // Otherwise the decoded pictures of the page stay in memory.
      page.cleanup();
    }
  }

  function show(): void {
    drawing?.abort();
    drawing = new AbortController();
    width = place.clientWidth;
    const { signal } = drawing;
    draw(signal).catch(() => {
      if (signal.aborted) return;
      place.replaceChildren(paragraph(texts.failedPage(number)));
      place.dataset.state = 'failed';
    });
  }

  function hide(): void {
    drawing?.abort();
    drawing = undefined;
    // Browsers can keep the memory of a removed canvas for long.
    for (const canvas of place.querySelectorAll('canvas')) canvas.width = canvas.height = 0;
    place.replaceChildren();
    delete place.dataset.state;
  }

  return {
    show,
    hide,
    fit() {
      if (drawing && width !== place.clientWidth) show();
    },
  };
}

/** Creates the picture of a page that fits into its place, with an element for its text above it. */
function createSheet(page: PdfPage, width: number) {
  const natural = page.getViewport({ scale: 1 });
  const scale = Math.min(width / natural.width, (width * ratioOf(page)) / natural.height);
  const sheet = document.createElement('div');
  sheet.className = 'pdf-sheet';
  sheet.style.width = `${natural.width * scale}px`;
  sheet.style.height = `${natural.height * scale}px`;
  sheet.style.setProperty('--total-scale-factor', String(scale));
  const canvas = document.createElement('canvas');
  canvas.role = 'img';
  const text = document.createElement('div');
  text.className = 'pdf-text';
  sheet.append(canvas, text);
  return { sheet, canvas, text };
}

function paragraph(text: string, className = ''): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
}
