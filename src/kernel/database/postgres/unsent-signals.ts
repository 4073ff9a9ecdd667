/** Maximum number of waiting signals. More are dropped, since listeners also poll. */
const MAX_WAITING = 1_000;

/** Signals of this node that wait to be sent over a connection. */
export interface UnsentSignals {
  readonly size: number;
  /** Adds a signal. Returns false if it is lost: without a connection, or when too many wait. */
  add(signal: string): boolean;
  /** Returns the signals that wait, each once, and removes them. */
  take(): string[];
  /** Call when the connection is open. Signals lost before are replaced by one, `gap`. */
  connected(): void;
  /** Call when the connection has ended. Signals that wait are lost. */
  disconnected(): void;
}

/** @param gap sent in place of lost signals */
export function createUnsentSignals(gap: string): UnsentSignals {
  const waiting = new Set<string>();
  let isConnected = false;
  let hasLost = false;

  return {
    get size() {
      return waiting.size;
    },
    add(signal) {
      if (!isConnected || waiting.size >= MAX_WAITING) {
        hasLost = true;
        return false;
      }
      waiting.add(signal);
      return true;
    },
    take() {
      const signals = [...waiting];
      waiting.clear();
      return signals;
    },
    connected() {
      isConnected = true;
      if (hasLost) waiting.add(gap);
      hasLost = false;
    },
    disconnected() {
      // Any signal of the connection may be lost.
      hasLost ||= isConnected;
      isConnected = false;
      waiting.clear();
    },
  };
}
