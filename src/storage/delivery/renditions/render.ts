import type { Payload } from '../../../kernel/compute/frames.ts';
import { programFile } from '../../../kernel/program-files.ts';
import type { MediaFacts, RenditionKind } from '../../tree/file.ts';
import { decode, NoRendition } from './decoder.ts';
import { mediaFacts } from './facts.ts';

interface RenderLimits {
  /** Maximum number of pixels of a picture. */
  pixels: number;
  /** Maximum memory of the decoding process, bytes. */
  memory: number;
  /** Maximum time of a rendering, ms; less than its lease. */
  ms: number;
  /** Maximum size of a rendition. */
  bytes: number;
}

/** Longest sides, pixels. A smaller picture is not enlarged. */
const SIDES: Record<RenditionKind, number> = { thumbnail: 512, preview: 2048 };
export const RENDER_LIMITS: RenderLimits = {
  pixels: 100_000_000,
  memory: 1024 ** 3,
  ms: 25_000,
  bytes: 16 * 1024 ** 2,
};

const CHILD = programFile('storage/delivery/renditions/child');
/** A rendition: WebP. */
export interface Rendered {
  kind: RenditionKind;
  bytes: Uint8Array;
  /** Of the picture. */
  facts: MediaFacts;
}

/**
 * Renders a picture: WebP, upright, first frame, without metadata.
 * @param kinds in the order of their sizes, as they are returned: each as soon as it is rendered
 * @throws NoRendition when the picture is damaged, too large, not a raster picture, or exceeds a limit; errors of
 *   `picture`
 */
export async function* renderPicture(
  picture: ReadableStream<Uint8Array>,
  kinds: readonly RenditionKind[],
  limits: RenderLimits = RENDER_LIMITS,
): AsyncGenerator<Rendered> {
  const sides = kinds.map((kind) => SIDES[kind]);
  let done = 0;
  for await (const frame of decodePicture(picture, sides, limits)) {
    const kind = kinds[done++];
    if (kind) yield renderedOf(kind, frame);
  }
}

/**
 * Decodes a picture once. Returns a frame for each of `sides`, as `child.ts` writes it.
 * @throws NoRendition; errors of `picture`
 */
export function decodePicture(
  picture: ReadableStream<Uint8Array>,
  sides: readonly number[],
  { pixels, memory, ms, bytes }: RenderLimits,
): AsyncGenerator<Payload> {
  return decode(picture, {
    program: CHILD,
    args: [pixels, memory, ...sides],
    // Pictures stay in memory: the child cannot create temporary files.
    env: { VIPS_BLOCK_UNTRUSTED: '1', VIPS_DISC_THRESHOLD: String(memory) },
    ms,
    bytes,
    frames: sides.length,
  });
}

function renderedOf(kind: RenditionKind, { value, blobs: [bytes] = [] }: Payload): Rendered {
  const facts = mediaFacts.safeParse(value);
  // Rows without a placeholder are rendered again.
  if (!facts.data?.placeholder || !bytes?.length) throw new NoRendition(`the decoder wrote no ${kind}`);
  return { kind, bytes, facts: facts.data };
}
