import type { ComputeDeps } from '../../../kernel/compute/compute.ts';
import type { Payload, SizedStream } from '../../../kernel/compute/frames.ts';
import type { Log } from '../../../kernel/log.ts';
import { programFile } from '../../../kernel/program-files.ts';
import type { MediaFacts, RenditionKind } from '../../tree/file.ts';
import { createDecoder, type Decoder, NoRendition } from './decoder.ts';
import { mediaFacts } from './facts.ts';
import { type Codec, codecOf } from './formats.ts';

/** A picture or PDF file that is read while it is rendered. */
export interface Picture extends SizedStream {
  mimeType: string;
  /** Source of its bytes. Pictures of one source can affect one another. */
  owner: string;
}

/** A rendition: WebP. */
export interface Rendered {
  kind: RenditionKind;
  bytes: Uint8Array;
  /** Facts of the picture. */
  facts: MediaFacts;
}

/** Renders pictures in child processes. */
export interface Renderer {
  /**
   * Renders a picture: WebP, upright, first frame, without metadata.
   * @param kinds in the order of their sizes, as they are returned
   * @throws NoRendition when the picture is damaged, too large, not a raster picture, or exceeds a limit; errors of
   *   its chunks
   */
  render(picture: Picture, kinds: readonly RenditionKind[]): Promise<Rendered[]>;
  /** Kills the children. */
  stop(): void;
}

/** Longest sides, pixels. A smaller picture is not enlarged. */
const SIDES: Record<RenditionKind, number> = { thumbnail: 512, preview: 2048 };
const CHILD = programFile('storage/delivery/renditions/child');
const MB = 1024 ** 2;
const PIXELS = 100_000_000;
const MEMORY = 1024 * MB;
/** Maximum size of all renditions of a picture. */
const OUTPUT = 32 * MB;
/** A burst of pictures of a few members keeps its children. */
const CHILDREN = 3;
const IDLE_MS = 5_000;
/** Maximum number of pictures of a child; a start takes half as long as a picture. */
const PICTURES = 32;

export function createRenderer(log: Log, limits: { ms?: number; memory?: number } = {}): Renderer {
  const decoders = createPictureDecoders({
    name: 'renditions',
    log,
    output: OUTPUT,
    children: CHILDREN,
    idleMs: IDLE_MS,
    jobs: PICTURES,
    // Nobody waits for them.
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

/** Decodes pictures, and encodes them in the sizes that `child.ts` is passed. */
export interface PictureDecoders {
  /** @throws NoRendition; errors of the picture's chunks */
  decode(picture: Picture, sides: readonly number[]): Promise<Payload>;
  stop(): void;
}

type PictureDecoderDeps = Omit<ComputeDeps, 'program' | 'limits' | 'ms'> & { ms?: number; memory?: number };

/** Creates a decoder for each codec, since loading one that is not needed would take longer than most pictures. */
export function createPictureDecoders({ memory = MEMORY, ...deps }: PictureDecoderDeps): PictureDecoders {
  const decoders = new Map<Codec, Decoder>();

  function start(codec: Codec): Decoder {
    const decoder = createDecoder({
      ...deps,
      program: CHILD,
      args: [codec, String(PIXELS)],
      // Pictures stay in memory: the child cannot create temporary files.
      env: { VIPS_BLOCK_UNTRUSTED: '1', VIPS_DISC_THRESHOLD: String(memory) },
      memory,
    });
    decoders.set(codec, decoder);
    return decoder;
  }

  return {
    async decode(picture, sides) {
      const codec = codecOf(picture.mimeType);
      return await (decoders.get(codec) ?? start(codec)).decode(picture.owner, sides, picture);
    },
    stop() {
      for (const decoder of decoders.values()) decoder.stop();
    },
  };
}

function renderedOf(
  kind: RenditionKind,
  { value, bytes }: { value: unknown; bytes: Uint8Array | undefined },
) {
  const facts = mediaFacts.safeParse(value);
  // Rows without a placeholder are rendered again.
  if (!facts.data?.placeholder || !bytes?.length) throw new NoRendition(`the decoder wrote no ${kind}`);
  return { kind, bytes, facts: facts.data };
}
