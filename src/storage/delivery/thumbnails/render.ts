import { join } from 'node:path';

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
  ms: number;
}

export const RENDER_LIMITS: RenderLimits = { side: 512, pixels: 100_000_000, memory: 1024 ** 3, ms: 10_000 };

const CHILD = join(import.meta.dir, 'child.ts');
const LARGEST_THUMBNAIL = 4 * 1024 ** 2;
/**
 * Limits that the operating system enforces: data and anonymous memory (RLIMIT_DATA; the address space cannot be
 * limited, since the runtime reserves far more of it than it uses) and no core dumps. Rendering has a lower
 * priority than all other work.
 */
const UNDER_LIMITS = 'ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; shift; exec nice -n 10 "$@"';

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
  const child = Bun.spawn(
    [
      '/bin/sh',
      '-c',
      UNDER_LIMITS,
      'thumbnail',
      String(Math.ceil(limits.memory / 1024)),
      process.execPath,
      CHILD,
      ...[limits.side, limits.pixels, limits.memory].map(String),
    ],
    {
      // Nothing from the server's environment, which contains secrets.
      env: { PATH: '/usr/bin:/bin', VIPS_BLOCK_UNTRUSTED: '1' },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: limits.ms,
      killSignal: 'SIGKILL',
      maxBuffer: LARGEST_THUMBNAIL,
    },
  );
  try {
    const [, thumbnail, reason, status] = await Promise.all([
      feed(picture, child.stdin, child.exited),
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

/** Writes the picture as fast as the child reads; stops when the child has exited, whose status is then the reason. */
async function feed(
  picture: ReadableStream<Uint8Array>,
  stdin: Bun.FileSink,
  exited: Promise<number>,
): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  for await (const chunk of picture) {
    if (gone) break;
    try {
      stdin.write(chunk);
      await Promise.race([stdin.flush(), exited]);
    } catch {
      break;
    }
  }
  await Promise.resolve(stdin.end()).catch(() => {});
}
