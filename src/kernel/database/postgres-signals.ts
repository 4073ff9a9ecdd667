import { Client } from 'pg';
import { createListeners, type Signals } from './signals.ts';

const POSTGRES_CHANNEL = 'posthouse';
const RECONNECT_AFTER_MS = 1_000;

/**
 * Signals to all nodes over LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html), on a separate
 * connection that is opened again when it breaks. The signals of this process reach its own listeners directly.
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
      if (from !== node && channel) listeners.notify(channel, rest.join(' '));
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

  /** Signals emitted while a query runs are sent together by the next. */
  let pending: string[] = [];
  let isSending = false;
  let sent = Promise.resolve();
  const send = async (): Promise<void> => {
    isSending = true;
    while (client && pending.length > 0) {
      const batch = pending;
      pending = [];
      await client
        .query('select pg_notify($1, signal) from unnest($2::text[]) signal', [POSTGRES_CHANNEL, batch])
        .catch(failed);
    }
    pending = [];
    isSending = false;
  };

  return {
    emit(channel, payload = '') {
      listeners.notify(channel, payload);
      pending.push(`${node} ${channel} ${payload}`);
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
