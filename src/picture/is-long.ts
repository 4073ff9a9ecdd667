/** Ratio of the sides of a picture from which its thumbnail, whose longest side is fixed, is too narrow for a tile. */
const LONG = 2.5;

/** Reports whether a tile shows a picture sharply only from its preview, such as a panorama. */
export function isLong(width: number, height: number): boolean {
  return Math.max(width, height) >= LONG * Math.min(width, height);
}
