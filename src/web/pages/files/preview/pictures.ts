import { isDamaged } from '../../../../picture/is-damaged.ts';
import { posthouse } from '../../../api/posthouse.ts';
import type { Previewed } from './content.ts';
import type { PreviewFailure } from './failure.ts';

/** Pictures that browsers display. Those in SVG run no scripts in an `img` (SVG 2 §2.2.6, secure static mode). */
const DISPLAYED = /^image\/(?:jpeg|png|apng|gif|webp|avif|bmp|x-icon|svg\+xml)$/;
/** Animated pictures; their renditions are still images. */
const ANIMATED = /^image\/(?:gif|apng)$/;
/** Number of pixels above which browsers may fail to decode a picture. */
const LARGE = 100_000_000;
/** Size up to which the original is shown instead of its preview. */
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

/**
 * Returns the likely reason why a picture cannot be displayed. Reads the dimensions from the file: the server stores
 * none for a picture that it refuses to decode.
 */
export async function pictureFailure({ mimeType, address }: Previewed): Promise<PreviewFailure> {
  if (mimeType !== 'image/png') return 'picture';
  const response = await posthouse.send(address, { headers: { Range: 'bytes=0-23' } });
  const header = new DataView(await response.arrayBuffer());
  // PNG (3rd edition) §11.2.1
  return header.byteLength >= 24 && header.getUint32(16) * header.getUint32(20) > LARGE
    ? 'tooLarge'
    : 'picture';
}

/** Reports whether a loaded picture is invisible because it is damaged. An SVG may be empty. */
export async function showsNothing(
  image: HTMLImageElement,
  { mimeType, thumbnail }: Previewed,
): Promise<boolean> {
  return mimeType !== 'image/svg+xml' && (await isDamaged(image, thumbnail ?? null));
}

const originalAddress = (address: string) => `${address}?inline=1`;
