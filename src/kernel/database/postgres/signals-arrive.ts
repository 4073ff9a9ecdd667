import type { Client } from 'pg';
import { openClient } from './client.ts';
import { SIGNAL_TIMES } from './limits.ts';
import { listen, notify } from './notify.ts';

/**
 * Reports whether a signal sent on one connection to `url` arrives at another one.
 * @throws Error when there is no connection
 */
export async function signalsArrive(url: string): Promise<boolean> {
  const { answerMs } = SIGNAL_TIMES;
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
    await listen(listener, answerMs, (received) => {
      if (received === signal) resolve(true);
    });
    await notify(sender, answerMs, [signal]);
    return await arrived;
  } finally {
    clearTimeout(timer);
    for (const client of clients) client.connection.stream.destroy();
  }
}
