/** A body that is arriving. */
interface Arriving {
  received(): number;
  /** Reports whether more bytes are wanted now. */
  isWanted(): boolean;
  /** Called when the client sends too slowly. */
  tooSlow(): void;
}

/** Time between two checks. */
const CHECK_MS = 60_000;
/** Minimum number of bytes between two checks: 500 per second, as in Apache. */
const LEAST_BYTES = 30_000;

/**
 * Returns a function that watches a body, and returns a function that ends the watch. Without it, a client
 * that sends a byte every few seconds could hold its connection, and the space reserved for its upload,
 * indefinitely.
 */
export function createBodyPace(checkMs = CHECK_MS): (body: Arriving) => () => void {
  /** Bodies with their bytes at the last check; null = not yet checked. */
  const bodies = new Map<Arriving, number | null>();
  let timer: Timer | undefined;

  function check(): void {
    for (const [body, before] of bodies) {
      const received = body.received();
      bodies.set(body, received);
      if (before !== null && received - before < LEAST_BYTES && body.isWanted()) body.tooSlow();
    }
    if (bodies.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return (body) => {
    bodies.set(body, null);
    timer ??= setInterval(check, checkMs).unref();
    return () => void bodies.delete(body);
  };
}
