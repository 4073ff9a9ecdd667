import type { ServerResponse } from 'node:http';
import { MB } from '../../bytes.ts';
import { memoryShare } from '../../limits/memory-share.ts';

/** Maximum sum of the bytes that clients have not yet read. The responses hold their text and bytes in addition. */
const SEND_MEMORY_BYTES = { share: 1 / 16, least: 32 * MB, most: 128 * MB };

/** The part of a response that this module uses. */
type Sending = Pick<ServerResponse, 'once' | 'destroy' | 'writableLength'>;

/**
 * Limits the memory for bytes that were written but not yet read by their clients. Without it, a client with
 * many connections could fill the memory with long responses to short requests.
 */
export interface SendMemory {
  /** Records a response after bytes were written. Disconnects the clients that have waited longest, if needed. */
  written(response: Sending): void;
}

export function createSendMemory(maxBytes = memoryShare(SEND_MEMORY_BYTES)): SendMemory {
  /** Unread bytes of each response when they were last recorded; the oldest response first. */
  const left = new Map<Sending, number>();
  const seen = new WeakSet<Sending>();
  let total = 0;

  function record(response: Sending, bytes: number): void {
    total += bytes - (left.get(response) ?? 0);
    if (bytes > 0) left.set(response, bytes);
    else left.delete(response);
  }

  return {
    written(response) {
      // Most responses fit into the system's buffer.
      if (response.writableLength === 0) return;
      if (!seen.has(response)) response.once('close', () => record(response, 0));
      seen.add(response);
      // Moves it behind those that already wait.
      record(response, 0);
      record(response, response.writableLength);
      for (const oldest of left.keys()) {
        if (total <= maxBytes) return;
        record(oldest, oldest.writableLength);
        if (total <= maxBytes) return;
        record(oldest, 0);
        oldest.destroy();
      }
    },
  };
}
