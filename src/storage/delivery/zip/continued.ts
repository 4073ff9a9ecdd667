import { SECOND } from '../../../kernel/clock.ts';
import { asUnavailable } from '../../../kernel/errors/unavailable.ts';

/** Returns the bytes from a position to the end. */
type ReadFrom = (position: number) => AsyncIterable<Uint8Array>;

/** Time without any bytes after which a failure is final. */
const PATIENCE_MS = 5 * SECOND;
const PAUSE_MS = SECOND / 4;

interface ContinuedDeps {
  /** Milliseconds, as of `performance.now()`. */
  now?(): number;
  sleep?(ms: number): Promise<void>;
}

/**
 * Returns the bytes from `start`, and resumes after transient failures, such as a lack of descriptors: a long response
 * cannot report a failure once its head is sent. A failure before the first bytes is thrown immediately, since the
 * response can still report it.
 */
export async function* continued(
  readFrom: ReadFrom,
  start: number,
  { now = () => performance.now(), sleep = Bun.sleep }: ContinuedDeps = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  let position = start;
  for (let since = now(); ; ) {
    try {
      for await (const chunk of readFrom(position)) {
        position += chunk.byteLength;
        yield chunk;
        since = now();
      }
      return;
    } catch (error) {
      if (position === start || asUnavailable(error) === null || now() - since > PATIENCE_MS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
