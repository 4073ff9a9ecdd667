import { MB } from '../../../kernel/bytes.ts';
import type { Log } from '../../../kernel/log.ts';
import type { MediaFacts, RenditionKind } from '../../tree/files/file.ts';
import { NoRendition } from './decoder.ts';
import { mediaFacts } from './facts.ts';
import { createPictureDecoders, type Picture } from './picture-decoders.ts';

/** A rendition, as WebP. */
export interface Rendered {
  kind: RenditionKind;
  bytes: Uint8Array;
  facts: MediaFacts;
}

/** Renders pictures in child processes. */
export interface Renderer {
  /**
   * Renders a picture: WebP, upright, first frame, without metadata.
   * @param kinds in the order of their sizes, as they are returned
   * @throws NoRendition when the picture is damaged, too large, not a raster picture, or exceeds a limit; errors of
   *   its chunks; JobInterrupted
   */
  render(picture: Picture, kinds: readonly RenditionKind[]): Promise<Rendered[]>;
  /** Kills the children. */
  stop(): void;
}

/** Longest sides, pixels. A smaller picture is not enlarged. */
const SIDES: Record<RenditionKind, number> = { thumbnail: 512, preview: 2048 };
/** Maximum size of all renditions of a picture. */
const OUTPUT = 32 * MB;
/** Enough that a burst of pictures of a few members starts few processes. */
const CHILDREN = 3;
const IDLE_MS = 5_000;
/** Maximum number of pictures per child; starting one takes half as long as rendering a picture. */
const PICTURES = 32;

export function createRenderer(log: Log, limits: { ms?: number; memory?: number } = {}): Renderer {
  const decoders = createPictureDecoders({
    name: 'renditions',
    log,
    output: OUTPUT,
    children: CHILDREN,
    idleMs: IDLE_MS,
    jobs: PICTURES,
    // With a low priority, since few requests wait for renditions.
    shares: null,
    ...limits,
  });
  return {
    async render(picture, kinds) {
      const sides = kinds.map((kind) => SIDES[kind]);
      const { value, blobs = [] } = await decoders.decode(picture, sides);
      return kinds.map((kind, index) => renderedOf(kind, { value, bytes: blobs[index] }));
    },
    stop: decoders.stop,
  };
}

function renderedOf(
  kind: RenditionKind,
  { value, bytes }: { value: unknown; bytes: Uint8Array | undefined },
) {
  const facts = mediaFacts.safeParse(value);
  // Rows without a placeholder are rendered again.
  if (!facts.data?.placeholder || !bytes?.length)
    throw new NoRendition(`the decoder wrote no ${kind}`, facts.data);
  return { kind, bytes, facts: facts.data };
}
