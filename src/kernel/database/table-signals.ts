import { sql } from 'kysely';
import { createCache } from '../cache.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { newId } from '../ids.ts';
import { inThisContext } from '../limits/callers.ts';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { jsonTable } from './json-table.ts';
import { createListeners, GAP, type Signals } from './signals.ts';

/** Pause between two reads of the table, and the time for which signals are collected before they are stored. */
const POLL_MS = 250;
const COLLECT_MS = 50;
/** Age up to which signals are read: transactions may commit in another order than they began. */
const READ_MS = 5 * SECOND;
const KEPT_MS = MINUTE;
/** Maximum number of signals stored or read at once; more are lost. */
const MAX_SIGNALS = 1_000;

interface TableSignalsDeps {
  database: Database;
  log: Log;
}

/**
 * Signals over a table that every node polls: behind a pooler in transaction mode, which loses LISTEN, and between
 * processes that share an SQLite file.
 */
export function createTableSignals({ database, log }: TableSignalsDeps): Signals {
  const node = newId();
  const listeners = createListeners();
  const seen = createCache<true>({ max: 10 * MAX_SIGNALS });
  const pending = new Map<string, { channel: string; payload: string }>();
  let lastRead = performance.now();
  let storing: Promise<void> | null = null;
  let isClosed = false;

  /** Stores the signals, and those that are emitted meanwhile. */
  async function storePending(): Promise<void> {
    try {
      while (pending.size > 0) {
        await Bun.sleep(COLLECT_MS);
        const batch = [...pending.values()].map((signal) => ({ id: newId(), ...signal }));
        pending.clear();
        await store(database, node, batch);
      }
    } catch (error) {
      warn('signals could not be stored')(error);
      // Sent with the next signal.
      pending.set(GAP, { channel: GAP, payload: '' });
    } finally {
      storing = null;
    }
  }

  async function read(): Promise<void> {
    const rows = await database.read
      .selectFrom('signals')
      .select(['id', 'channel', 'payload'])
      .where('node', '!=', node)
      .where('date_created', '>', sql<number>`${database.now} - ${sql.lit(READ_MS)}`)
      .orderBy('date_created')
      .limit(MAX_SIGNALS)
      .execute();
    const now = performance.now();
    const isGap = now - lastRead > READ_MS || rows.length === MAX_SIGNALS;
    lastRead = now;
    for (const { id, channel, payload } of rows) {
      if (seen.has(id)) continue;
      seen.set(id, true);
      listeners.notify(channel, payload);
    }
    if (isGap) listeners.notify(GAP, '');
  }

  const warn = (message: string) => (error: unknown) => log.warn({ error }, message);

  async function run(): Promise<void> {
    while (!isClosed) {
      await Bun.sleep(POLL_MS);
      await read().catch(warn('the signals of other nodes could not be read'));
    }
  }
  const running = run();
  const storeAll = inThisContext(storePending);

  return {
    emit(channel, payload = '') {
      listeners.notify(channel, payload);
      if (isClosed || pending.size >= MAX_SIGNALS) return;
      pending.set(`${channel} ${payload}`, { channel, payload });
      storing ??= storeAll();
    },
    listen: listeners.add,
    async close() {
      isClosed = true;
      await Promise.all([running, storing]);
    },
  };
}

/** Stores signals for the other nodes, and deletes old ones. */
function store(
  database: Database,
  node: string,
  signals: readonly { id: string; channel: string; payload: string }[],
): Promise<void> {
  return database.transaction(async (trx) => {
    const columns = { id: 'text', channel: 'text', payload: 'text' } as const;
    await sql`
      insert into signals (id, node, channel, payload, date_created)
      select id, ${node}, channel, payload, ${database.now}
      from ${jsonTable(database.kind, 'sent', columns, signals)}`.execute(trx);
    const end = sql<number>`${database.now} - ${sql.lit(KEPT_MS)}`;
    await trx.deleteFrom('signals').where('date_created', '<', end).execute();
  });
}
