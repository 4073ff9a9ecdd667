import type { Client } from 'pg';
import { SIGNAL_TIMES, type SignalTimes } from './postgres-limits.ts';
import { openClient, queryInTime } from './postgres-query.ts';
import { createListeners, GAP, type Signals } from './signals.ts';

const CHANNEL = 'posthouse';
/** Signals that wait for a connection; more are dropped, since listeners also poll. */
const MAX_PENDING = 1_000;
const NOTIFY = 'select pg_notify($1, signal) from unnest($2::text[]) signal';

/**
 * Signals to all nodes over LISTEN and NOTIFY (https://www.postgresql.org/docs/current/sql-notify.html), on a separate
 * connection that is opened again when it breaks. The signals of this process reach its own listeners directly.
 * @param url of PostgreSQL itself: a pooler in transaction mode loses LISTEN
 */
export function createPostgresSignals(
  url: string,
  failed: (error: unknown) => void,
  times: SignalTimes = SIGNAL_TIMES,
): Signals {
  const node = crypto.randomUUID();
  const listeners = createListeners();
  const pending = new Set<string>();
  let isConnected = false;
  /** Some signals of this node were not sent. */
  let hasLost = false;
  let isClosed = false;
  let wake = () => {};

  /** Waits for a signal to send, or for `ms`. */
  function idle(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Sends signals and heartbeats, one statement at a time, until the connection breaks or is closed. */
  async function serve(client: Client): Promise<void> {
    while (!isClosed || pending.size > 0) {
      const batch = [...pending];
      pending.clear();
      if (batch.length > 0) await queryInTime(client, times.answerMs, NOTIFY, [CHANNEL, batch]);
      else await queryInTime(client, times.answerMs, 'select 1', []);
      if (pending.size === 0 && !isClosed) await idle(times.heartbeatMs);
    }
  }

  async function connectAndServe(connected: () => void): Promise<void> {
    const client = await openClient(url, times.answerMs);
    client.on('end', () => wake());
    client.on('notification', ({ payload }) => {
      const [from, channel, ...rest] = (payload ?? '').split(' ');
      if (from !== node && channel) listeners.notify(channel, rest.join(' '));
    });
    try {
      await queryInTime(client, times.answerMs, `listen ${CHANNEL}`, []);
      connected();
      await serve(client);
    } finally {
      client.connection.stream.destroy();
    }
  }

  async function run(): Promise<void> {
    let pause = times.reconnectMs;
    while (!isClosed) {
      const connected = () => {
        isConnected = true;
        pause = times.reconnectMs;
        listeners.notify(GAP, '');
        if (hasLost) pending.add(`${node} ${GAP} `);
        hasLost = false;
      };
      await connectAndServe(connected).catch((error) => {
        if (!isClosed) failed(error);
      });
      hasLost ||= isConnected;
      isConnected = false;
      pending.clear();
      if (!isClosed) await idle(pause);
      pause = Math.min(pause * 2, times.longestPauseMs);
    }
  }
  const running = run();

  return {
    emit(channel, payload = '') {
      listeners.notify(channel, payload);
      if (!isConnected || pending.size >= MAX_PENDING) {
        hasLost = true;
        return;
      }
      pending.add(`${node} ${channel} ${payload}`);
      wake();
    },
    listen: listeners.add,
    async close() {
      isClosed = true;
      wake();
      await running;
    },
  };
}

/**
 * Reports whether a signal sent on one connection to `url` arrives at another one.
 * @throws Error when there is no connection
 */
export async function signalsArrive(
  url: string,
  { answerMs }: Pick<SignalTimes, 'answerMs'> = SIGNAL_TIMES,
): Promise<boolean> {
  const clients: Client[] = [];
  const open = async () => {
    const client = await openClient(url, answerMs);
    clients.push(client);
    return client;
  };
  const signal = `${crypto.randomUUID()} test`;
  const { promise: arrived, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), answerMs);
  try {
    const [listener, sender] = await Promise.all([open(), open()]);
    listener.on('notification', ({ payload }) => {
      if (payload === signal) resolve(true);
    });
    await queryInTime(listener, answerMs, `listen ${CHANNEL}`, []);
    await queryInTime(sender, answerMs, NOTIFY, [CHANNEL, [signal]]);
    return await arrived;
  } finally {
    clearTimeout(timer);
    for (const client of clients) client.connection.stream.destroy();
  }
}
