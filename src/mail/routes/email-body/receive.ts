import { MB } from '../../../kernel/bytes.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { tooSlow } from '../../../kernel/http/bodies/read-body.ts';
import type { Ctx } from '../../../kernel/http/context.ts';
import { HttpProblem } from '../../../kernel/http/problems/problems.ts';
import { limitKey } from '../../../kernel/ip.ts';
import { memoryShare } from '../../../kernel/limits/memory-share.ts';
import { createTally } from '../../../kernel/tally.ts';

const LARGEST = 36 * MB;

/** Limits of the bodies that are in memory. */
const LIMITS = {
  /** Bytes of all bodies; one address may use half of them. */
  bytes: { share: 1 / 16, least: 2 * LARGEST, most: 8 * LARGEST },
  /**
   * A body with fewer than `bytesPerWindow` in this time is refused, since it keeps others from being received. A busy
   * server reads a piece of 64 KB at a time, and must not attribute its own delays to the client.
   */
  windowMs: 5 * SECOND,
  bytesPerWindow: 32_768,
  ms: 60 * SECOND,
};

/** A received body. It counts toward the limits until `release`. */
export interface ReceivedBody {
  chunks: Uint8Array[];
  size: number;
  release(): void;
}

/**
 * Returns a function that receives a body of up to 36 MB. It counts bytes as they arrive, so that connections that
 * announce large bodies and send little do not use up the limits.
 * @param bytes maximum sum of the bytes in memory
 * @throws Problem 429 `rate_limited` when too many bytes are in memory, 413, 400 for a body that is too slow
 */
export function createBodyReceiver(bytes = memoryShare(LIMITS.bytes)): (c: Ctx) => Promise<ReceivedBody> {
  const held = createTally<string>();
  return async (c) => {
    const key = limitKey(c.env.address);
    const body: ReceivedBody = { chunks: [], size: 0, release: () => void held.add(key, -body.size) };
    if (Number(c.req.header('Content-Length') ?? 0) > LARGEST) throw tooLarge();
    try {
      for await (const chunk of timed(c.req.raw.body)) {
        body.chunks.push(chunk);
        body.size += chunk.byteLength;
        const own = held.add(key, chunk.byteLength);
        if (body.size > LARGEST) throw tooLarge();
        if (held.total > bytes || own > bytes / 2) throw tooMuch();
      }
      return body;
    } catch (error) {
      body.release();
      throw error;
    }
  };
}

/** Yields the chunks of a body. @throws Problem 400 when it is slower than `LIMITS` allow */
async function* timed(body: ReadableStream<Uint8Array> | null) {
  if (!body) return;
  const reader = body.getReader();
  const slow = Promise.withResolvers<never>();
  // Prevents an unhandled rejection before the first read.
  slow.promise.catch(() => {});
  let inWindow = 0;
  const end = () => slow.reject(tooSlow());
  const total = setTimeout(end, LIMITS.ms);
  const rate = setInterval(() => {
    if (inWindow < LIMITS.bytesPerWindow) end();
    inWindow = 0;
  }, LIMITS.windowMs);
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), slow.promise]);
      if (done) return;
      inWindow += value.byteLength;
      yield value;
    }
  } finally {
    clearTimeout(total);
    clearInterval(rate);
    void reader.cancel().catch(() => {});
  }
}

const headers = { Connection: 'close' };

function tooLarge(): HttpProblem {
  return new HttpProblem('body_too_large', `The body may have at most ${LARGEST} bytes.`, { headers });
}

function tooMuch(): HttpProblem {
  const detail = 'Too many large e-mails at once. Try again in a moment.';
  return new HttpProblem('rate_limited', detail, { headers, retryAfterMs: SECOND });
}
