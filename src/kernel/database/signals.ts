import { Client } from 'pg';

/**
 * Wakes the parts that wait for something another part, or another node, has committed. A signal is a hint:
 * it may be lost, so whoever listens looks for itself now and then as well.
 */
export interface Signals {
  /** Call after the commit. @param channel without spaces */
  emit(channel: string, payload?: string): void;
  /** Gives a function that ends the listening. */
  listen(channel: string, heard: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** Signals within this process alone: enough for SQLite, which only one server process uses. */
export function createLocalSignals(): Signals {
  const listeners = createListeners();
  return {
    emit: (channel, payload = '') => listeners.tell(channel, payload),
    listen: listeners.add,
    close: async () => {},
  };
}

const POSTGRES_CHANNEL = 'posthouse';
const RECONNECT_AFTER_MS = 1_000;

/**
 * Signals to every node over LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html), on one connection
 * of its own, made anew when it breaks. This process hears its own signals at once, without the way over the database.
 */
export function createPostgresSignals(url: string, failed: (error: unknown) => void): Signals {
  const node = crypto.randomUUID();
  const listeners = createListeners();
  let client: Client | undefined;
  let closed = false;
  let retry: Timer | undefined;

  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url });
    const lost = (error?: unknown) => {
      if (client !== fresh && client !== undefined) return;
      client = undefined;
      if (closed) return;
      if (error) failed(error);
      clearTimeout(retry);
      retry = setTimeout(() => void connect(), RECONNECT_AFTER_MS);
    };
    fresh.on('error', lost);
    fresh.on('end', () => lost());
    fresh.on('notification', ({ payload }) => {
      const [from, channel, ...rest] = (payload ?? '').split(' ');
      if (from !== node && channel) listeners.tell(channel, rest.join(' '));
    });
    try {
      await fresh.connect();
      await fresh.query(`listen ${POSTGRES_CHANNEL}`);
      if (closed) await fresh.end();
      else client = fresh;
    } catch (error) {
      lost(error);
    }
  };
  const connecting = connect();

  /** What is emitted while a notification is on its way goes together with the next. */
  let waiting: string[] = [];
  let isSending = false;
  let sent = Promise.resolve();
  const send = async (): Promise<void> => {
    isSending = true;
    while (client && waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await client.query('select pg_notify($1, signal) from unnest($2::text[]) signal', [POSTGRES_CHANNEL, batch]).catch(failed);
    }
    waiting = [];
    isSending = false;
  };

  return {
    emit(channel, payload = '') {
      listeners.tell(channel, payload);
      waiting.push(`${node} ${channel} ${payload}`);
      if (!isSending) sent = send();
    },
    listen: listeners.add,
    async close() {
      closed = true;
      clearTimeout(retry);
      await connecting;
      await sent;
      await client?.end();
    },
  };
}

function createListeners() {
  const byChannel = new Map<string, Set<(payload: string) => void>>();
  return {
    add(channel: string, heard: (payload: string) => void): () => void {
      const set = byChannel.get(channel) ?? new Set();
      byChannel.set(channel, set.add(heard));
      return () => set.delete(heard);
    },
    tell(channel: string, payload: string): void {
      for (const heard of byChannel.get(channel) ?? []) heard(payload);
    },
  };
}
