import { z } from 'zod';
import { createFrameReader, type Payload } from '../../../kernel/compute/frames.ts';
import { endInput, spawnLimited, writeTo } from '../../../kernel/compute/spawn.ts';
import { programFile } from '../../../kernel/program-files.ts';
import type { MediaFacts, RenditionKind } from '../../tree/file.ts';
import { LONGEST_CAMERA } from './formats.ts';

/** A picture cannot be rendered. The message may quote bytes of the picture: for the log, never for an answer. */
export class NoRendition extends Error {
  override readonly name = 'NoRendition';
}

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
/** The child has a low priority: on a busy machine it may last longer than that. */
const CPU_SECONDS = 10;
const MINUTES_OF_A_DAY = 24 * 60;
const LATEST_DATE = Date.UTC(2200);

/** A rendition: WebP. */
export interface Rendered {
  kind: RenditionKind;
  bytes: Uint8Array;
  /** Of the picture. */
  facts: MediaFacts;
}

/** Facts as the child writes them. It decodes hostile pictures, so they are checked like a request. */
const mediaFacts: z.ZodType<MediaFacts> = z.strictObject({
  width: z.int().min(1).max(1_000_000).nullable(),
  height: z.int().min(1).max(1_000_000).nullable(),
  takenAt: z.int().min(0).max(LATEST_DATE).nullable(),
  takenOffset: z.int().min(-MINUTES_OF_A_DAY).max(MINUTES_OF_A_DAY).nullable(),
  camera: z
    .string()
    .min(1)
    .max(LONGEST_CAMERA)
    .regex(/^\P{C}+$/u)
    .nullable(),
});

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
 * Decodes a picture once, in a process for this picture only (it starts in 0.06 s), so that the damage of a hostile
 * picture ends with it. Returns a frame for each of `sides`, as `child.ts` writes it.
 * @throws NoRendition; errors of `picture`
 */
export async function* decodePicture(
  picture: ReadableStream<Uint8Array>,
  sides: readonly number[],
  { pixels, memory, ms, bytes }: RenderLimits,
): AsyncGenerator<Payload> {
  const child = spawnLimited(CHILD, [pixels, memory, ...sides].map(String), {
    limits: { cpuSeconds: CPU_SECONDS },
    // Pictures stay in memory: the child cannot create temporary files.
    env: { VIPS_BLOCK_UNTRUSTED: '1', VIPS_DISC_THRESHOLD: String(memory) },
    ms,
  });
  const written = writeTo(child, picture).finally(() => endInput(child));
  // Awaited below.
  written.catch(() => child.kill('SIGKILL'));
  const reason = new Response(child.stderr).text();
  let done = 0;
  try {
    for await (const frame of framesOf(child.stdout, bytes)) {
      done++;
      yield frame;
    }
    await written;
    if ((await child.exited) === 0 && done === sides.length) return;
    throw new NoRendition(
      child.signalCode
        ? `the decoder was killed by ${child.signalCode}`
        : (await reason).slice(0, 500) || `status ${child.exitCode}`,
    );
  } finally {
    child.kill('SIGKILL');
  }
}

/** @throws NoRendition when the output is not that of the child */
async function* framesOf(output: ReadableStream<Uint8Array>, bytes: number): AsyncGenerator<Payload> {
  const read = createFrameReader(bytes);
  for await (const chunk of output) {
    let frames: Payload[];
    try {
      frames = read(chunk);
    } catch {
      throw new NoRendition('the decoder wrote no frames');
    }
    yield* frames;
  }
}

function renderedOf(kind: RenditionKind, { value, blobs: [bytes] = [] }: Payload): Rendered {
  const facts = mediaFacts.safeParse(value);
  if (!facts.success || !bytes?.length) throw new NoRendition(`the decoder wrote no ${kind}`);
  return { kind, bytes, facts: facts.data };
}
