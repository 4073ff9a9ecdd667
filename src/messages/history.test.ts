import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Kysely } from 'kysely';
import { DATABASES, freshDatabase, withClock } from '../../test/harness/database.ts';
import { DAY, HOUR } from '../kernel/clock.ts';
import { createVault } from '../kernel/crypto/vault.ts';
import type { Database, Reader, Tables } from '../kernel/database/database.ts';
import { newId } from '../kernel/ids.ts';
import { createLeases } from '../kernel/leases/leases.ts';
import { type Claims, createClaims } from '../kernel/outbox/claims.ts';
import { createLanes } from '../kernel/outbox/lanes.ts';
import type { NewMessage } from '../kernel/outbox/message.ts';
import { createQueue, type Queue } from '../kernel/outbox/queue.ts';
import { LEASE_COLUMNS } from '../kernel/outbox/rows.ts';
import { createHistory, type History } from './history.ts';
import { type MessageFilter, selectIds } from './select.ts';

const CLAIM = { runs: 0, extra: 0, busy: [], length: 1 };

describe.each(DATABASES)('the message log on %s', (kind) => {
  let database: Database;
  let now: number;
  let queue: Queue;
  let claims: Claims;
  let history: History;

  beforeAll(async () => {
    database = withClock(await freshDatabase(kind), { now: () => now });
  });
  beforeEach(async () => {
    await database.transaction((trx) => trx.deleteFrom('outbox').execute());
    now = Date.UTC(2026, 0, 1, 12);
    const clock = { now: () => now };
    const leases = createLeases(LEASE_COLUMNS, { database, clock });
    const deps = { database, vault: createVault(Buffer.alloc(32, 7)), lanes: createLanes(database), leases };
    queue = createQueue(deps);
    claims = createClaims({ ...deps, node: 'one' });
    history = createHistory(database);
  });

  async function add(more: Partial<NewMessage> = {}): Promise<string> {
    const id = newId();
    const message = {
      id,
      messageId: id,
      part: 0,
      kind: 'email',
      clientId: null,
      lane: null,
      payload: {},
      sandbox: false,
      ...more,
    };
    await database.transaction((trx) => queue.add(trx, [message]));
    return message.messageId;
  }
  async function end(ofKind: string, outcome: 'sent' | 'refused'): Promise<void> {
    const { claimed } = await claims.recordAndClaim([], { ...CLAIM, kind: ofKind, runs: 100 });
    const delivery =
      outcome === 'sent' ? { outcome, result: null } : { outcome, code: 'no', reason: '100% refused' };
    await claims.recordAndClaim(
      claimed.flat().map((message) => ({ message, delivery })),
      { ...CLAIM, kind: ofKind },
    );
  }
  const idsOf = async (filter: Partial<Parameters<History['list']>[0]> = {}) =>
    (await history.list({ limit: 50, ...filter })).messages.map(({ id }) => id);

  /** Returns the database, and the lengths of the results of the reads from it. */
  function watchReads() {
    const lengths: number[] = [];
    const read: Reader = (database.read as Kysely<Tables>).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        lengths.push(JSON.stringify(result.rows).length);
        return result;
      },
    });
    return { watched: { ...database, read, slow: () => read }, lengths };
  }

  test('old finished messages are deleted, queued ones never', async () => {
    const [ended] = [await add()];
    await end('email', 'sent');
    const waiting = await add({ notBefore: now + 300 * DAY });
    now += 30 * DAY - 1;
    await history.sweep({ days: 30, count: 10 });
    expect((await idsOf()).sort()).toEqual([ended, waiting].sort());
    now += 1;
    const young = await add();
    await end('email', 'refused');
    await history.sweep({ days: 30, count: 10 });
    expect((await idsOf()).sort()).toEqual([waiting, young].sort());
  });

  test('the newest messages of each kind are kept', async () => {
    const ids: Record<string, string[]> = { email: [], chat: [] };
    for (let number = 0; number < 5; number++) {
      for (const of of ['email', 'chat']) {
        ids[of]?.push(await add({ kind: of }));
        await end(of, 'sent');
        now += 1_000;
      }
    }
    await history.sweep({ days: 30, count: 3 });
    expect(await idsOf({ kind: 'email' })).toEqual(ids.email?.slice(2).reverse() ?? []);
    expect(await idsOf({ kind: 'chat' })).toEqual(ids.chat?.slice(2).reverse() ?? []);
  });

  test('each filter narrows the list', async () => {
    const one = await add({ clientId: 'a', payload: { subject: '100% Sure_thing' } });
    await end('email', 'sent');
    const two = await add({ clientId: 'b', sandbox: true, payload: { subject: '1000 sure things' } });
    await end('email', 'refused');
    const three = await add({ kind: 'chat', payload: { to: ['A@example.org'] } });
    expect(await idsOf()).toEqual([three, two, one]);
    expect(await idsOf({ kind: 'email' })).toEqual([two, one]);
    expect(await idsOf({ clientId: 'a' })).toEqual([one]);
    expect(await idsOf({ sandbox: true })).toEqual([two]);
    expect(await idsOf({ sandbox: false })).toEqual([three, one]);
    expect(await idsOf({ status: 'failed' })).toEqual([two]);
    expect(await idsOf({ status: 'queued' })).toEqual([three]);
    expect(await idsOf({ search: '0% sure_' })).toEqual([one]);
    expect(await idsOf({ search: '100% REFUSED' })).toEqual([two]);
    expect(await idsOf({ search: '\\' })).toEqual([]);
    expect(await idsOf({ recipient: 'a@EXAMPLE.org' })).toEqual([three]);
    expect(await idsOf({ recipient: 'example.org' })).toEqual([]);
    // The ids have the time of the machine.
    const hour = { before: Date.now() - HOUR, after: Date.now() + HOUR };
    expect(await idsOf({ since: hour.before, until: hour.after })).toEqual([three, two, one]);
    expect(await idsOf({ since: hour.after })).toEqual([]);
    expect(await idsOf({ until: hour.before })).toEqual([]);
    expect(await idsOf({ limit: 1 })).toEqual([three]);
    expect(await idsOf({ before: three, limit: 1 })).toEqual([two]);
    expect(await idsOf({ before: one })).toEqual([]);
  });

  test('a search ignores the case of any letters, and finds characters that JSON or patterns escape', async () => {
    const subject = '[Über] 50% "Größe" für C:\\Σίσυφος*?\n(a|b)+.^$ {1}';
    const id = await add({ payload: { subject, to: ['Jörg@example.org'] } });
    await add({ payload: { subject: 'Uber 500 Große fur C:Sisyphos' } });
    const found = [
      'Über',
      'über',
      'ÜBER',
      'ür c',
      '"GRÖßE"',
      'C:\\σΊσυφος*?\n',
      'ς*?',
      '(A|B)+.^$ {1}',
      '[ü',
      '] 50%',
    ];
    for (const search of found) expect([search, await idsOf({ search })]).toEqual([search, [id]]);
    for (const search of ['b.r', '[a-z]', '?ber', 'a|b)?', '500*', 'Öber', 'ü%', 'ü_er', 'ü.er'])
      expect([search, await idsOf({ search })]).toEqual([search, []]);
    expect(await idsOf({ recipient: 'jÖrg@example.org' })).toEqual([id]);
    await end('email', 'refused');
    expect(await idsOf({ search: '% refused' })).toHaveLength(2);
  });

  test('a page with a text or several filters ends after a number of rows, and older ones follow', async () => {
    const ids: string[] = [];
    for (const subject of ['needle', 'hay', 'hay', 'hay', 'hay'])
      ids.push(await add({ clientId: 'a', payload: { subject } }));
    const page = (more: Partial<MessageFilter>) =>
      selectIds(database, { limit: 50, search: 'needle', ...more }, 2);
    expect(await page({})).toEqual({ ids: [], older: ids[3] ?? '' });
    expect(await page({ before: ids[3] })).toEqual({ ids: [], older: ids[1] ?? '' });
    expect(await page({ before: ids[1], clientId: 'a' })).toEqual({ ids: [ids[0] ?? ''], older: null });
    expect(await page({ search: '', clientId: 'a' })).toEqual({ ids: ids.toReversed(), older: null });
    expect(await page({ search: '', status: 'queued', limit: 4 })).toEqual({
      ids: ids.slice(1).toReversed(),
      older: ids[1] ?? '',
    });
    expect(await page({ search: '', status: 'queued', kind: 'chat' })).toEqual({
      ids: [],
      older: ids[3] ?? '',
    });
    expect(await page({ search: '', sandbox: true })).toEqual({ ids: [], older: null });
    expect(await page({ search: '', sandbox: false })).toEqual({
      ids: ids.slice(3).toReversed(),
      older: ids[3] ?? '',
    });
  });

  test('the parts of a message are one entry with the error of the failed part', async () => {
    const messageId = newId();
    for (let part = 0; part < 3; part++) {
      await add({ messageId, part });
      await end('email', part === 1 ? 'refused' : 'sent');
    }
    expect((await history.list({ limit: 10 })).messages).toEqual([
      expect.objectContaining({
        id: messageId,
        parts: 3,
        status: 'failed',
        error: '100% refused',
        errorCode: 'no',
        dateFinished: now,
      }),
    ]);
  });

  test('a page reads the payload of the first part of a message only', async () => {
    const messageId = newId();
    for (let part = 0; part < 20; part++)
      await add({ messageId, part, payload: { text: 'x'.repeat(5_000) } });
    const { watched, lengths } = watchReads();
    const { messages } = await createHistory(watched).list({
      limit: 10,
    });
    expect(messages).toEqual([
      expect.objectContaining({ id: messageId, parts: 20, payload: { text: 'x'.repeat(5_000) } }),
    ]);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(10_000);
  });

  test('a page reads large payloads in several queries', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await add({ payload: { text: 'x'.repeat(240_000) } }));
    ids.push(await add({ payload: { text: 'x'.repeat(600_000) } }));
    const { watched, lengths } = watchReads();
    const { messages } = await createHistory(watched).list({ limit: 10 });
    expect(messages.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(lengths.map((length) => Math.round(length / 240_000)).filter(Boolean)).toEqual([2, 2, 1, 3]);
  });

  test('messages are counted by hour, and the oldest queued one is found by client', async () => {
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
