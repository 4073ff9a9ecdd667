import type { IncomingMessage } from 'node:http';
import { MB } from '../../bytes.ts';
import type { BodyTurns } from './body-turns.ts';

/** Controls how fast the body of a request is read. */
export interface BodyFlow {
  /** Records a chunk that has arrived. */
  arrived(bytes: number): void;
  pause(): void;
  resume(): void;
  /** Reports whether it is not paused. */
  isWanted(): boolean;
}

/** Maximum bytes of a body that are read in a turn of the event loop. */
const BYTES_AT_ONCE = MB;
/** Smaller chunks count as this many bytes, since Bun creates an object and calls a function for each. */
const CHUNK_BYTES = 32;
/**
 * Maximum shortfall of the chunks of a turn, in bytes: the sum of their differences from `CHUNK_BYTES`.
 * 17,000 chunks of one byte, which take 6 ms, reach it.
 */
const MAX_SHORTFALL = 524_288;

/**
 * Returns the flow of a body. While a client sends, Bun reads 5 MB and more from its connection before it serves
 * others, unless the body is paused. With one byte in each chunk (RFC 9112 §7.1), 5 MB would take a third of a second,
 * and the chunks that arrive before a pause takes effect would be kept as objects, so the connection is closed.
 */
export function createBodyFlow(incoming: IncomingMessage, turns: BodyTurns): BodyFlow {
  let [isWanted, isHeld] = [true, false];
  let [turn, received, shortfall] = [0, 0, 0];

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
      if (current !== turn) [turn, received, shortfall] = [current, 0, 0];
      received += Math.max(bytes, CHUNK_BYTES);
      shortfall = Math.max(0, shortfall + CHUNK_BYTES - bytes);
      if (shortfall > MAX_SHORTFALL) incoming.socket.destroy();
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
    isWanted: () => isWanted,
  };
}
