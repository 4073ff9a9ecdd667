const STEP = 0.05;
const NARROWEST = 0.5;
const WIDEST = 3.5;

/**
 * Returns the class of a picture in the gallery: its width as a multiple of its height, rounded, so that the pictures
 * of a row have one height and none is cropped visibly. The policy of the page permits no `style` attributes.
 * @param size null = not known
 */
export function shapeClass(size: { width: number; height: number } | null): string {
  const ratio = size ? size.width / size.height : 1;
  return `s${Math.round(Math.min(WIDEST, Math.max(NARROWEST, ratio)) / STEP)}`;
}

const [first, last] = [Math.round(NARROWEST / STEP), Math.round(WIDEST / STEP)];

/** The rules of these classes. */
export const SHAPES = Array.from({ length: last - first + 1 }, (_, index) => {
  const step = first + index;
  return `.s${step}{--ratio:${Number((step * STEP).toFixed(2))}}`;
}).join('\n');
