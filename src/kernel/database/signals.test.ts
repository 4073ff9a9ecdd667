import { describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { freshPostgres } from '../../../test/harness/backends.ts';
import { afterFile } from '../../../test/harness/cleanup.ts';
import { openAt } from '../../../test/harness/database.ts';
import { openFaultProxy } from '../../../test/harness/fault-proxy.ts';
import { until } from '../../../test/harness/until.ts';
import { createPostgresSignals } from './postgres/signals.ts';
import { createLocalSignals, type Signals } from './signals.ts';

function kept(signals: Signals): Signals {
  afterFile(signals.close);
  return signals;
}

/** Emits until `listener` receives it: a signal may be lost while a connection is being made. */
async function heardFrom(
  emitter: Signals,
  listener: Signals,
  channel: string,
  payload: string,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = listener.listen(channel, resolve);
  const again = setInterval(() => emitter.emit(channel, payload), 20);
  emitter.emit(channel, payload);
  try {
    return await promise;
  } finally {
    clearInterval(again);
    stop();
  }
}

describe('signals within a process', () => {
  test('reach the listeners of their channel until these are removed', () => {
    const signals = createLocalSignals();
    const heard: string[] = [];
    const stop = signals.listen('a', (payload) => heard.push(`first ${payload}`));
    signals.listen('a', (payload) => heard.push(`second ${payload}`));
    signals.emit('a', '1');
    signals.emit('b', '2');
    stop();
    signals.emit('a', '3');
    expect(heard).toEqual(['first 1', 'second 1', 'second 3']);
  });
});

describe('signals over PostgreSQL', () => {
  test('reach all nodes once, with their payload, and the sender synchronously', async () => {
    const url = await freshPostgres();
    const fail = (error: unknown) => {
      throw error;
    };
    const [one, two] = [kept(createPostgresSignals(url, fail)), kept(createPostgresSignals(url, fail))];
    // Both directions work once these have arrived.
    await Promise.all([heardFrom(one, two, 'there', ''), heardFrom(two, one, 'and-back', '')]);
    const own: string[] = [];
    const others: string[] = [];
    one.listen('letters', (payload) => own.push(payload));
    two.listen('letters', (payload) => others.push(payload));
    for (const payload of ['a', 'b c  d', '', 'ü 🏤']) one.emit('letters', payload);
    expect(own).toEqual(['a', 'b c  d', '', 'ü 🏤']);
    expect(await heardFrom(one, two, 'end', 'of it')).toBe('of it');
    expect(others).toEqual(own);
    expect(own).toHaveLength(4);
  });

  test('are received again after a lost connection, which is reported', async () => {
    const url = await freshPostgres();
    const failures: unknown[] = [];
    const [one, two] = [
      kept(createPostgresSignals(url, (error) => failures.push(error))),
      kept(createPostgresSignals(url, (error) => failures.push(error))),
    ];
    await heardFrom(one, two, 'before', '');
    const ended = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(openAt(url).schema);
    expect(ended.rows.length).toBe(2);
    expect(await heardFrom(one, two, 'after', 'again')).toBe('again');
    expect(failures.length).toBeGreaterThan(0);
  });

  test('are received again after a connection that hangs, which is reported', async () => {
    const url = await freshPostgres();
    const proxy = await openFaultProxy(Number(new URL(url).port));
    const behind = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const failures: unknown[] = [];
    const times = { answerMs: 300, heartbeatMs: 50, reconnectMs: 10, longestPauseMs: 50 };
    const one = kept(createPostgresSignals(url, (error) => failures.push(error)));
    const two = kept(createPostgresSignals(behind, (error) => failures.push(error), times));
    await heardFrom(one, two, 'before', '');
    expect(failures).toEqual([]);
    proxy.swallow();
    // The hanging connection is ended, and so is the attempt to open another.
    await until(() => failures.length >= 2);
    await proxy.heal();
    expect(await heardFrom(one, two, 'after', 'again')).toBe('again');
    expect(await heardFrom(two, one, 'back', 'also')).toBe('also');
    await two.close();
    await proxy.stop();
  });

  test('wait for a server that is not running yet, and can be closed meanwhile', async () => {
    const failures: unknown[] = [];
    const { promise: failed, resolve } = Promise.withResolvers<void>();
    const signals = createPostgresSignals('postgres://nobody:nothing@127.0.0.1:1/none', (error) => {
      failures.push(error);
      resolve();
    });
    signals.emit('nobody', 'hears');
    await failed;
    await signals.close();
    expect(JSON.stringify(failures.map(String))).not.toContain('nothing');
  });
});
