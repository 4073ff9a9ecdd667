import type { IncomingMessage } from 'node:http';
import type { BodyTurns } from './body-turns.ts';

/** Reading of the body of a request. */
export interface BodyFlow {
  /** Records a chunk that has arrived. */
  arrived(bytes: number): void;
  pause(): void;
  resume(): void;
}

/** Bytes of a body in a turn of the event loop. */
const BYTES_AT_ONCE = 1_048_576;
/** Smaller chunks cost more than their bytes: with each, Bun creates an object and calls a function. */
const CHUNK_BYTES = 32;
/** Bytes that the chunks of a turn may lack: half a megabyte is 17,000 chunks of one byte, which take 6 ms. */
const MAX_LACKING = 524_288;

/**
 * Returns the flow of a body. While a client sends, Bun reads 5 MB and more from its connection before it turns to
 * others, unless the body is paused. With a byte in each chunk (RFC 9112 §7.1), 5 MB would take a third of a second,
 * and those that arrive before a pause has an effect would be kept as objects: the connection is closed.
 */
export function createBodyFlow(incoming: IncomingMessage, turns: BodyTurns): BodyFlow {
  let [isWanted, isHeld] = [true, false];
  let [turn, received, lacking] = [0, 0, 0];

  function release(): void {
    isHeld = false;
    if (isWanted) incoming.resume();
  }

  function holdUntilNextTurn(): void {
    isHeld = true;
    incoming.pause();
    setImmediate(release);
  }

  return {
    arrived(bytes) {
      const current = turns.arrived();
      if (current !== turn) [turn, received, lacking] = [current, 0, 0];
      received += Math.max(bytes, CHUNK_BYTES);
      lacking = Math.max(0, lacking + CHUNK_BYTES - bytes);
      if (lacking > MAX_LACKING) incoming.socket.destroy();
      else if (received > BYTES_AT_ONCE && !isHeld) holdUntilNextTurn();
    },
    pause() {
      isWanted = false;
      incoming.pause();
    },
    resume() {
      isWanted = true;
      if (!isHeld) incoming.resume();
    },
  };
}
