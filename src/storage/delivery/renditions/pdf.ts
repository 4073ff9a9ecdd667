import sharp, { type Sharp } from 'sharp';

/**
 * Draws the first page of a PDF file on white, with PDFium as WebAssembly. No script of the file runs: the build has
 * no engine for them. Fonts that the file does not contain are replaced.
 * @param side the longest side, in pixels
 * @throws Error when the file is damaged or encrypted
 */
export type DrawPdf = (file: Uint8Array, side: number) => Promise<Sharp>;

/** Loads the renderer. Call it while files can still be opened. */
export async function loadPdfRenderer(): Promise<DrawPdf> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  const library = await PDFiumLibrary.init();
  return async (file, side) => {
    const document = await library.loadDocument(file);
    try {
      const page = document.getPage(0);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = side / Math.max(originalWidth, originalHeight);
      const [width, height] = [originalWidth, originalHeight].map(
        (length) => Math.round(length * scale) || 1,
      );
      if (!(scale > 0 && Number.isFinite(scale)) || !width || !height)
        throw new Error('the page has no size');
      const { data } = await page.render({ width, height, render: 'bitmap' });
      return sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
    } finally {
      document.destroy();
    }
  };
}
