import { join } from 'node:path';

/** Why a picture has no thumbnail. The reason may quote bytes of the picture: for the log, never for an answer. */
export class NoThumbnail extends Error {
  override readonly name = 'NoThumbnail';
}

interface RenderLimits {
  /** Longest side of the thumbnail, pixels. A smaller picture is not enlarged. */
  side: number;
  /** Most pixels that a picture may have. */
  pixels: number;
  /** Most memory of the process that decodes it, bytes. */
  memory: number;
  ms: number;
}

export const RENDER_LIMITS: RenderLimits = { side: 512, pixels: 100_000_000, memory: 1024 ** 3, ms: 10_000 };

const CHILD = join(import.meta.dir, 'child.ts');
const LARGEST_THUMBNAIL = 4 * 1024 ** 2;
/**
 * Limits that the kernel keeps where it knows them: data and anonymous memory (RLIMIT_DATA; the address space cannot be
 * limited, since the runtime reserves far more of it than it uses) and no core dumps. Pictures yield to all other work.
 */
const UNDER_LIMITS = 'ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; shift; exec nice -n 10 "$@"';

/**
 * The thumbnail of a picture, WebP, upright, first frame, without metadata. Decodes in a process of its own that lives
 * for this picture alone (it starts in 0.06 s, a twelve-megapixel JPEG takes 0.13 s): what a hostile picture does to it is over
 * with it.
 * @throws NoThumbnail when the picture is broken, too large, no raster picture, or passes a limit; and what `picture` throws
 */
export async function renderThumbnail(picture: ReadableStream<Uint8Array>, limits: RenderLimits = RENDER_LIMITS): Promise<Uint8Array> {
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
      // Nothing of the server's environment, so no secret either.
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
    throw new NoThumbnail(child.signalCode ? `the decoder was ended by ${child.signalCode}` : reason.slice(0, 500) || `status ${status}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** Writes the picture as fast as the child reads; leaves off when the child is gone, whose status then tells why. */
async function feed(picture: ReadableStream<Uint8Array>, stdin: Bun.FileSink, exited: Promise<number>): Promise<void> {
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
