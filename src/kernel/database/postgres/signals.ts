import type { Client } from 'pg';
import { createPause } from '../../event-loop/pause.ts';
import { createListeners, GAP, type Signals } from '../signals.ts';
import { openClient } from './client.ts';
import { SIGNAL_TIMES, type SignalTimes } from './limits.ts';
import { listen, notify } from './notify.ts';
import { queryInTime } from './query.ts';
import { createUnsentSignals } from './unsent-signals.ts';

/**
 * Signals to all nodes over LISTEN and NOTIFY, on a separate connection that is opened again when it breaks. The
 * signals of this process reach its own listeners directly.
 * @param url of PostgreSQL itself: a pooler in transaction mode loses LISTEN
 * @param failed called when the connection cannot be opened or breaks
 */
export function createPostgresSignals(
  url: string,
  failed: (error: unknown) => void,
  times: SignalTimes = SIGNAL_TIMES,
): Signals {
  const node = crypto.randomUUID();
  const listeners = createListeners();
  const unsent = createUnsentSignals(`${node} ${GAP} `);
  let isClosed = false;
  /** Ended when there is a signal to send. */
  const idle = createPause();

  /** Sends signals and heartbeats, one statement at a time, until the connection breaks or is closed. */
  async function serve(client: Client): Promise<void> {
    while (!isClosed || unsent.size > 0) {
      const batch = unsent.take();
      if (batch.length > 0) await notify(client, times.answerMs, batch);
      else await queryInTime(client, times.answerMs, 'select 1', []);
      if (unsent.size === 0 && !isClosed) await idle.wait(times.heartbeatMs);
    }
  }

  function receive(signal: string): void {
    const [from, channel, ...rest] = signal.split(' ');
    if (from !== node && channel) listeners.notify(channel, rest.join(' '));
  }

  async function connectAndServe(connected: () => void): Promise<void> {
    const client = await openClient(url, times.answerMs);
    client.on('end', idle.end);
    try {
      await listen(client, times.answerMs, receive);
      connected();
      unsent.connected();
      listeners.notify(GAP, '');
      await serve(client);
    } finally {
      client.connection.stream.destroy();
      unsent.disconnected();
    }
  }

  async function run(): Promise<void> {
    let pause = times.reconnectMs;
    while (!isClosed) {
      const connected = () => {
        pause = times.reconnectMs;
      };
      await connectAndServe(connected).catch((error) => {
        if (!isClosed) failed(error);
      });
      if (!isClosed) await idle.wait(pause);
      pause = Math.min(pause * 2, times.longestPauseMs);
    }
  }
  const running = run();

  return {
    emit(channel, payload = '') {
      listeners.notify(channel, payload);
      if (unsent.add(`${node} ${channel} ${payload}`)) idle.end();
    },
    listen: listeners.add,
    async close() {
      isClosed = true;
      idle.end();
      await running;
    },
  };
}
