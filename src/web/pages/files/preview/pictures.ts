import type { Previewed } from './content.ts';

/** Pictures that browsers display. Those in SVG run no scripts in an `img` (SVG 2 §2.2.6, secure static mode). */
const DISPLAYED = /^image\/(?:jpeg|png|apng|gif|webp|avif|bmp|x-icon|svg\+xml)$/;
/** A rendition of these would not move. */
const ANIMATED = /^image\/(?:gif|apng)$/;
/** Smaller originals are shown instead of their preview. */
const SMALL_BYTES = 200_000;

/** Returns the addresses of a picture in the order in which they are tried; none = browsers cannot display it. */
export function pictureAddresses({ mimeType, sizeBytes, address, preview }: Previewed): string[] {
  const original = DISPLAYED.test(mimeType) ? [originalAddress(address)] : [];
  if (!preview) return original;
  const isOriginalBetter = ANIMATED.test(mimeType) || sizeBytes <= SMALL_BYTES;
  return isOriginalBetter && original.length > 0 ? original : [preview, ...original];
}

/** Returns the address of the original, if it has more detail than the picture at `shown`. */
export const sharperThan = (shown: string, content: Previewed): string | null =>
  shown === content.preview && DISPLAYED.test(content.mimeType) ? originalAddress(content.address) : null;

const originalAddress = (address: string) => `${address}?inline=1`;
