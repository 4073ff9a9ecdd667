import { join } from 'node:path';
import { endInput, spawnLimited, writeTo } from '../../../kernel/compute/spawn.ts';

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

/**
 * Renders the thumbnail of a picture: WebP, upright, first frame, without metadata. Decodes in a process for this
 * picture only (it starts in 0.06 s, a twelve-megapixel JPEG takes 0.13 s), so that the damage of a hostile picture
 * ends with it.
 * @throws NoThumbnail when the picture is damaged, too large, not a raster picture, or exceeds a limit; errors of
 *   `picture`
 */
export async function renderThumbnail(
  picture: ReadableStream<Uint8Array>,
  limits: RenderLimits = RENDER_LIMITS,
): Promise<Uint8Array> {
  const { side, pixels, memory, ms } = limits;
  const child = spawnLimited(CHILD, [side, pixels, memory].map(String), {
    limits: { cpuSeconds: CPU_SECONDS },
    // Pictures stay in memory: the child cannot create temporary files.
    env: { VIPS_BLOCK_UNTRUSTED: '1', VIPS_DISC_THRESHOLD: String(memory) },
    ms,
    bytes: LARGEST_THUMBNAIL,
  });
  try {
    const [, thumbnail, reason, status] = await Promise.all([
      writeTo(child, picture).finally(() => endInput(child)),
      new Response(child.stdout).bytes(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (status === 0 && thumbnail.length > 0) return thumbnail;
    throw new NoThumbnail(
      child.signalCode
        ? `the decoder was killed by ${child.signalCode}`
        : reason.slice(0, 500) || `status ${status}`,
    );
  } finally {
    child.kill('SIGKILL');
  }
}
