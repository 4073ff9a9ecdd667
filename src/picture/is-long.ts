/** Minimum ratio of the sides of a picture whose thumbnail is too narrow for a tile. */
const LONG = 2.5;

/** Reports whether a picture, such as a panorama, is sharp in a tile only when its preview is shown. */
export function isLong(width: number, height: number): boolean {
  return Math.max(width, height) >= LONG * Math.min(width, height);
}
