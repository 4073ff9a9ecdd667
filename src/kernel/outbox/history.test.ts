import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { DAY, HOUR } from '../clock.ts';
import { createVault } from '../crypto/vault.ts';
import type { Database } from '../database/database.ts';
import { newId } from '../ids.ts';
import { createHistory, type History } from './history.ts';
import type { Claimed, NewMessage } from './message.ts';
import { createOutboxStore, type OutboxStore } from './store.ts';

describe.each(DATABASES)('what the outbox has done, on %s', (kind) => {
  let database: Database;
  let now: number;
  let store: OutboxStore;
  let history: History;

  beforeAll(async () => {
    database = await freshDatabase(kind);
  });
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('outbox').execute());
    now = Date.UTC(2026, 0, 1, 12);
    const clock = { now: () => now };
    store = createOutboxStore({ database, vault: createVault(Buffer.alloc(32, 7)), clock, node: 'one' });
    history = createHistory({ database, clock });
  });

  async function add(more: Partial<NewMessage> = {}): Promise<string> {
    const id = newId();
    const message = { id, messageId: id, part: 0, kind: 'email', clientId: null, lane: null, payload: {}, sandbox: false, ...more };
    await database.transaction((trx) => store.add(trx, [message]));
    return message.messageId;
  }
  async function end(ofKind: string, outcome: 'sent' | 'refused'): Promise<void> {
    const { claimed } = await store.turn(ofKind, [], 100);
    const delivery = outcome === 'sent' ? { outcome, result: null } : { outcome, code: 'no', reason: '100% refused' };
    await store.turn(
      ofKind,
      claimed.map((message: Claimed) => ({ message, delivery })),
      0,
    );
  }
  const listed = async (filter: Partial<Parameters<History['list']>[0]> = {}) =>
    (await history.list({ limit: 50, ...filter })).map(({ id }) => id);

  test('what ended long ago goes, what waits stays however old it is', async () => {
    const [ended] = [await add()];
    await end('email', 'sent');
    const waiting = await add({ notBefore: now + 300 * DAY });
    now += 30 * DAY - 1;
    await history.sweep({ days: 30, count: 10 });
    expect((await listed()).sort()).toEqual([ended, waiting].sort());
    now += 1;
    const young = await add();
    await end('email', 'refused');
    await history.sweep({ days: 30, count: 10 });
    expect((await listed()).sort()).toEqual([waiting, young].sort());
  });

  test('of each kind the newest stay', async () => {
    const ids: Record<string, string[]> = { email: [], chat: [] };
    for (let number = 0; number < 5; number++) {
      for (const of of ['email', 'chat']) {
        ids[of]?.push(await add({ kind: of }));
        await end(of, 'sent');
        now += 1_000;
      }
    }
    await history.sweep({ days: 30, count: 3 });
    expect(await listed({ kind: 'email' })).toEqual(ids.email?.slice(2).reverse() ?? []);
    expect(await listed({ kind: 'chat' })).toEqual(ids.chat?.slice(2).reverse() ?? []);
  });

  test('a list is narrowed by every filter', async () => {
    const one = await add({ clientId: 'a', payload: { subject: '100% Sure_thing' } });
    await end('email', 'sent');
    const two = await add({ clientId: 'b', sandbox: true, payload: { subject: '1000 sure things' } });
    await end('email', 'refused');
    const three = await add({ kind: 'chat' });
    expect(await listed()).toEqual([three, two, one]);
    expect(await listed({ kind: 'email' })).toEqual([two, one]);
    expect(await listed({ clientId: 'a' })).toEqual([one]);
    expect(await listed({ sandbox: true })).toEqual([two]);
    expect(await listed({ sandbox: false })).toEqual([three, one]);
    expect(await listed({ status: 'failed' })).toEqual([two]);
    expect(await listed({ status: 'queued' })).toEqual([three]);
    expect(await listed({ search: '0% sure_' })).toEqual([one]);
    expect(await listed({ search: '100% REFUSED' })).toEqual([two]);
    expect(await listed({ search: '\\' })).toEqual([]);
    expect(await listed({ limit: 1 })).toEqual([three]);
    expect(await listed({ before: three, limit: 1 })).toEqual([two]);
    expect(await listed({ before: one })).toEqual([]);
  });

  test('a message of several parts is one, and what failed tells', async () => {
    const messageId = newId();
    for (let part = 0; part < 3; part++) {
      await add({ messageId, part });
      await end('email', part === 1 ? 'refused' : 'sent');
    }
    expect(await history.list({ limit: 10 })).toEqual([
      expect.objectContaining({ id: messageId, parts: 3, status: 'failed', error: '100% refused', errorCode: 'no', dateFinished: now }),
    ]);
  });

  test('hours are counted, and the oldest that waits is told by client', async () => {
    await add({ clientId: 'a' });
    await end('email', 'refused');
    now += HOUR;
    const since = now;
    await add({ clientId: 'a' });
    await add({ clientId: 'b', notBefore: now + DAY });
    now += 5_000;
    await add({ clientId: 'a' });
    const hour = Math.floor(now / HOUR) * HOUR;
    expect(await history.perHour(48)).toEqual([
      { hour: hour - HOUR, kind: 'email', accepted: 1, failed: 1 },
      { hour, kind: 'email', accepted: 3, failed: 0 },
    ]);
    expect(await history.oldestWaiting()).toEqual([{ kind: 'email', clientId: 'a', since }]);
  });
});
