import { MB } from '../../../kernel/bytes.ts';
import type { ComputeDeps } from '../../../kernel/compute/compute.ts';
import type { Payload } from '../../../kernel/compute/frames.ts';
import { programFile } from '../../../kernel/program-files.ts';
import { createDecoder, type DecodedFile, type Decoder } from './decoder.ts';
import { type Codec, codecOf } from './formats.ts';

/** A picture or PDF file that is read while it is rendered. */
export interface Picture extends DecodedFile {
  mimeType: string;
  /** Source of its bytes. Pictures of one source can affect one another. */
  owner: string;
}

const CHILD = programFile('storage/delivery/renditions/child');
const PIXELS = 100_000_000;
const MEMORY = 1024 * MB;

/** Decodes pictures, and encodes them in sizes (see `child.ts`). */
export interface PictureDecoders {
  /** @throws NoRendition; JobInterrupted; errors of the picture's chunks */
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
