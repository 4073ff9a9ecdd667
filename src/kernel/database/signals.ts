/** Notifies listeners, on all nodes, of a commit. A signal may be lost, so listeners must also poll. */
export interface Signals {
  /** Call after the commit. @param channel without spaces */
  emit(channel: string, payload?: string): void;
  /** Returns a function that removes the listener. */
  listen(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** Signals within this process: sufficient for SQLite when it is the only one of the server. */
export function createLocalSignals(): Signals {
  const listeners = createListeners();
  return {
    emit: (channel, payload = '') => listeners.notify(channel, payload),
    listen: listeners.add,
    close: async () => {},
  };
}

/** Channel on which nodes signal, to themselves too, that earlier signals may have been lost. */
export const GAP = 'gap';

export function createListeners() {
  const byChannel = new Map<string, Set<(payload: string) => void>>();
  return {
    add(channel: string, listener: (payload: string) => void): () => void {
      const set = byChannel.get(channel) ?? new Set();
      byChannel.set(channel, set.add(listener));
      return () => set.delete(listener);
    },
    notify(channel: string, payload: string): void {
      for (const listener of byChannel.get(channel) ?? []) listener(payload);
    },
  };
}
