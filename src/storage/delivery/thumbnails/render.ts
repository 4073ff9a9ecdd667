import { join } from 'node:path';
import { z } from 'zod';
import { endInput, spawnLimited, writeTo } from '../../../kernel/compute/spawn.ts';
import type { PictureFacts } from '../../tree/file.ts';
import { LONGEST_CAMERA } from './formats.ts';

/** A picture cannot have a thumbnail. The message may quote bytes of the picture: for the log, never for an answer. */
export class NoThumbnail extends Error {
  override readonly name = 'NoThumbnail';
}

interface RenderLimits {
  /** Longest side of the thumbnail, pixels. A smaller picture is not enlarged. */
  side: number;
  /** Maximum number of pixels of a picture. */
  pixels: number;
  /** Maximum memory of the decoding process, bytes. */
  memory: number;
  /** Maximum time of a rendering, ms; less than its lease. */
  ms: number;
}

export const RENDER_LIMITS: RenderLimits = { side: 512, pixels: 100_000_000, memory: 1024 ** 3, ms: 25_000 };

const CHILD = join(import.meta.dir, 'child.ts');
const LARGEST_THUMBNAIL = 4 * 1024 ** 2;
/** The child has a low priority: on a busy machine it may last longer than that. */
const CPU_SECONDS = 10;
const MINUTES_OF_A_DAY = 24 * 60;
const LATEST_DATE = Date.UTC(2200);
const LINE_FEED = 0x0a;

/** A rendered picture. */
export interface Rendition {
  thumbnail: Uint8Array;
  facts: PictureFacts;
}

/** Facts as the child writes them. It decodes hostile pictures, so they are checked like a request. */
const pictureFacts: z.ZodType<PictureFacts> = z.strictObject({
  width: z.int().min(1).max(1_000_000),
  height: z.int().min(1).max(1_000_000),
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
 * Reads the facts of a picture and renders its thumbnail: WebP, upright, first frame, without metadata. Decodes in a
 * process for this picture only (it starts in 0.06 s, a twelve-megapixel JPEG takes 0.13 s), so that the damage of a
 * hostile picture ends with it.
 * @throws NoThumbnail when the picture is damaged, too large, not a raster picture, or exceeds a limit; errors of
 *   `picture`
 */
export async function renderThumbnail(
  picture: ReadableStream<Uint8Array>,
  limits: RenderLimits = RENDER_LIMITS,
): Promise<Rendition> {
  const { side, pixels, memory, ms } = limits;
  const child = spawnLimited(CHILD, [side, pixels, memory].map(String), {
    limits: { cpuSeconds: CPU_SECONDS },
    // Pictures stay in memory: the child cannot create temporary files.
    env: { VIPS_BLOCK_UNTRUSTED: '1', VIPS_DISC_THRESHOLD: String(memory) },
    ms,
    bytes: LARGEST_THUMBNAIL,
  });
  try {
    const [, output, reason, status] = await Promise.all([
      writeTo(child, picture).finally(() => endInput(child)),
      new Response(child.stdout).bytes(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (status === 0) return readOutput(output);
    throw new NoThumbnail(
      child.signalCode
        ? `the decoder was killed by ${child.signalCode}`
        : reason.slice(0, 500) || `status ${status}`,
    );
  } finally {
    child.kill('SIGKILL');
  }
}

/** @throws NoThumbnail when the output is not that of the child */
function readOutput(output: Uint8Array): Rendition {
  const end = output.indexOf(LINE_FEED);
  const facts = pictureFacts.safeParse(parseJson(output.subarray(0, Math.max(0, end))));
  const thumbnail = output.subarray(end + 1);
  if (end < 0 || !facts.success || thumbnail.length === 0)
    throw new NoThumbnail('the decoder wrote no thumbnail');
  return { thumbnail, facts: facts.data };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
