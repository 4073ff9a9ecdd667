import type { Locator } from 'playwright-core';

interface PdfOptions {
  /** Entries of the dictionaries. */
  catalog?: string;
  page?: string;
  contents?: string;
  trailer?: string;
  /** Corners of the page, in points. */
  box?: string;
  /** References to the pages; object 2 is the page tree, and object 3 the only page. */
  kids?: string;
  count?: number;
  /** Further objects, from number 5. */
  objects?: string;
  /** Operators that draw the page. */
  content?: string | Uint8Array;
}

/** Red on the left, blue on the right. */
const HALVES = '1 0 0 rg 0 0 100 100 re f 0 0 1 rg 100 0 100 100 re f';

/** Creates a PDF file of one page of 200 × 100 points. It has no cross-reference table; readers find the objects. */
export function pdf({
  catalog = '',
  page = '',
  contents = '',
  trailer = '',
  box = '0 0 200 100',
  kids = '3 0 R',
  count = 1,
  objects = '',
  content = HALVES,
}: PdfOptions = {}): Uint8Array<ArrayBuffer> {
  const drawing = Buffer.from(content);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from(`%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R${catalog}>>endobj
2 0 obj<</Type/Pages/Kids[${kids}]/Count ${count}>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R${page}>>endobj
4 0 obj<</Length ${drawing.length}${contents}>>stream
`),
      drawing,
      Buffer.from(`\nendstream endobj\n${objects}trailer<</Root 1 0 R${trailer}>>\n%%EOF\n`),
    ]),
  );
}

const RUN = "document.title='run'";
const SCRIPT = `<</S/JavaScript/JS(app.alert\\(1\\);${RUN};this.submitForm\\('/stolen'\\))>>`;
/** Entries of a catalog and of a page that run scripts and open addresses in other viewers. */
export const HOSTILE = {
  catalog: `/OpenAction${SCRIPT}/AA<</WC${SCRIPT}>>/AcroForm<</XFA(<script>${RUN}</script>)/Fields[]>>`,
  page: `/AA<</O${SCRIPT}>>/Annots[<</Subtype/Link/Rect[0 0 200 100]/A<</S/URI/URI(javascript:${RUN})>>>>
    <</Subtype/Widget/FT/Btn/Rect[0 0 200 100]/AA<</E${SCRIPT}/D${SCRIPT}>>>>]`,
};

/** Creates a PDF file of many equal pages. */
export function manyPages(count: number): Uint8Array<ArrayBuffer> {
  const numbers = Array.from({ length: count }, (_, index) => index + 5);
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<>>>>';
  return pdf({
    kids: numbers.map((number) => `${number} 0 R`).join(' '),
    count,
    objects: numbers.map((number) => `${number} 0 obj${page}endobj\n`).join(''),
  });
}

/** Entries of a trailer that require a password. */
export const ENCRYPTED = `/Encrypt<</Filter/Standard/V 1/R 2/O(${'a'.repeat(32)})/U(${'b'.repeat(32)})/P -4>>
/ID[(aaaaaaaaaaaaaaaa)(aaaaaaaaaaaaaaaa)]`;

/** Returns the colors in the middle of the left and of the right half of a canvas. */
export function colorsOf(canvas: Locator): Promise<number[][]> {
  return canvas.evaluate((element) => {
    const { width, height, getContext } = element as unknown as Canvas;
    const context = getContext.call(element, '2d');
    const at = (x: number) => [...context.getImageData(x, height / 2, 1, 1).data.subarray(0, 3)];
    return [at(width / 4), at((3 * width) / 4)];
  });
}

/** The tests have no DOM types. */
interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
  };
}
