import { gathering } from './chunks.ts';

/**
 * Limits on the bytes and time spent on the rest of a request that was answered before its end. A client that
 * still sends receives the answer only when the connection stays open meanwhile (RFC 9112 §9.6).
 */
export interface Discarded {
  ms: number;
  bytes: number;
}

/** The limits of the contract. */
export const DISCARDED: Discarded = { ms: 5_000, bytes: 67_108_864 };

/** Length of a rest that is expected to arrive within the limits: its connection can be used again. */
export const SHORT_REST = 65_536;

/** Reads and discards the rest of a body, within limits. Reports whether its end was reached. */
export async function discardRest(body: ReadableStream<Uint8Array>, limits: Discarded): Promise<boolean> {
  const reader = body.getReader();
  const expiry = Promise.withResolvers<null>();
  const timer = setTimeout(() => expiry.resolve(null), limits.ms);
  try {
    for (let left = limits.bytes; left >= 0; ) {
      const chunk = await Promise.race([reader.read(), expiry.promise]);
      if (chunk === null || chunk.done) return chunk !== null;
      left -= chunk.value.byteLength;
      await gathering(chunk.value);
    }
    return false;
  } catch {
    // The client disconnected.
    return false;
  } finally {
    clearTimeout(timer);
  }
}
