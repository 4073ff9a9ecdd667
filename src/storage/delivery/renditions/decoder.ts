import { createFrameReader, type Payload } from '../../../kernel/compute/frames.ts';
import { endInput, spawnLimited, writeTo } from '../../../kernel/compute/spawn.ts';

/** A file cannot be used. The message may quote its bytes: for the log, never for an answer. */
export class NoRendition extends Error {
  override readonly name = 'NoRendition';
}

/** A process for one file only (it starts in 0.06 s), so that the damage of a hostile file ends with it. */
interface Decoder {
  program: string;
  args: readonly (string | number)[];
  env?: Record<string, string>;
  /** Maximum time, ms. */
  ms: number;
  /** Maximum size of a frame, bytes. */
  bytes: number;
  /** Number of frames that it writes. */
  frames: number;
}

/** The child has a low priority: on a busy machine it may last longer than that. */
const CPU_SECONDS = 10;

/**
 * Passes a file to a decoder. Returns the frames that it writes.
 * @throws NoRendition when it writes others, or is killed; errors of `file`
 */
export async function* decode(
  file: AsyncIterable<Uint8Array>,
  { program, args, env, ms, bytes, frames }: Decoder,
): AsyncGenerator<Payload> {
  const child = spawnLimited(program, args.map(String), {
    limits: { cpuSeconds: CPU_SECONDS },
    ...(env && { env }),
    ms,
  });
  const written = writeTo(child, file).finally(() => endInput(child));
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
    if ((await child.exited) === 0 && done === frames) return;
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
