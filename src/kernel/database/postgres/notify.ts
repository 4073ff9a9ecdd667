import type { Client } from 'pg';
import { queryInTime } from './query.ts';

const CHANNEL = 'posthouse';
const NOTIFY = 'select pg_notify($1, signal) from unnest($2::text[]) signal';

/**
 * Subscribes a connection to the signals that all connections send
 * (https://www.postgresql.org/docs/current/sql-notify.html).
 * @throws those of `queryInTime`
 */
export async function listen(
  client: Client,
  limitMs: number,
  received: (signal: string) => void,
): Promise<void> {
  client.on('notification', ({ payload }) => received(payload ?? ''));
  await queryInTime(client, limitMs, `listen ${CHANNEL}`, []);
}

/** Sends signals in one statement. @throws those of `queryInTime` */
export async function notify(client: Client, limitMs: number, signals: readonly string[]): Promise<void> {
  await queryInTime(client, limitMs, NOTIFY, [CHANNEL, signals]);
}
