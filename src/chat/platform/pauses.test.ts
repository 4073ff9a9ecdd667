import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase, withClock } from '../../../test/harness/database.ts';
import { HOUR, MINUTE } from '../../kernel/clock.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database } from '../../kernel/database/database.ts';
import { createLocalSignals } from '../../kernel/database/signals.ts';
import { newId } from '../../kernel/ids.ts';
import { createLog } from '../../kernel/log.ts';
import { createMetrics } from '../../kernel/metrics/metrics.ts';
import { createOutbox, type Outbox } from '../../kernel/outbox/outbox.ts';
import { createProbing } from '../access/probing.ts';
import type { Reachability } from '../access/reach.ts';
import { createDirectory } from '../directory/directory.ts';
import { createTargets, type Target, type Targets } from '../directory/targets.ts';
import { createPauses, laneOf, type Pauses } from './pauses.ts';

describe.each(DATABASES)('pauses on %s', (kind) => {
  let database: Database;
  let now: number;
  let outbox: Outbox;
  let targets: Targets;
  let pauses: Pauses;
  let probe: () => Promise<void>;
  let probed: string[];
  let answer: Reachability;
  let client: string;
  let channel: string;

  beforeAll(async () => {
    database = withClock(await freshDatabase(kind), { now: () => now });
  });
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    probed = [];
    answer = { canSend: false, reason: 'missing_send_messages', detail: '' };
    const clock = { now: () => now };
    const vault = createVault(Buffer.alloc(32, 1));
    const signals = createLocalSignals();
    outbox = createOutbox({
      giveWay: () => undefined,
      database,
      signals,
      vault,
      clock,
      log: createLog('silent'),
      metrics: createMetrics(),
    });
    targets = createTargets({ database, clock });
    pauses = createPauses({ database, outbox });
    const check = async (target: Target) => {
      probed.push(target.channel.id);
      return answer;
    };
    probe = createProbing({ database, pauses, targets, reach: { check, checkNow: check }, outbox });
    const directory = createDirectory({ vault, clock });
    await database.transaction(async (trx) => {
      await trx.deleteFrom('outbox').execute();
      await trx.deleteFrom('chat_clients').execute();
      const made = await directory.addClient(trx, {
        name: 'relay',
        platform: 'discord',
        token: 'a.b.c',
        relayKey: false,
      });
      client = made.client.id;
      const guild = await directory.addGuild(trx, client, { platformId: '1', name: 'g' });
      channel = (await directory.addChannel(trx, guild.id, { platformId: '2', name: 'c' })).id;
    });
  });

  const pauseOf = async () => (await targets.ofChannel(channel))?.pause;
  const addHeld = async () => {
    const id = newId();
    const message = {
      id,
      messageId: id,
      part: 0,
      kind: 'chat',
      clientId: client,
      lane: laneOf(channel),
      payload: {},
      sandbox: false,
    };
    await database.transaction((trx) => outbox.add(trx, [{ ...message, notBefore: now + HOUR }]));
    return async () => (await outbox.parts(id))[0]?.nextAttemptAt;
  };

  test('a paused channel has a reason; the first reason is kept', async () => {
    expect(await pauseOf()).toBeNull();
    await pauses.pause({ of: 'channel', id: channel }, 'Missing Permissions');
    await pauses.pause({ of: 'channel', id: channel }, 'something later');
    expect(await pauseOf()).toEqual({ of: 'channel', reason: 'Missing Permissions' });
  });

  test('a paused client pauses its channels', async () => {
    await pauses.pause({ of: 'client', id: client }, '401: Unauthorized');
    expect(await pauseOf()).toEqual({ of: 'client', reason: '401: Unauthorized' });
  });

  test('ending a pause releases queued messages', async () => {
    await pauses.pause({ of: 'client', id: client }, '401: Unauthorized');
    const due = await addHeld();
    await database.transaction((trx) => pauses.lift(trx, { of: 'client', id: client }));
    expect(await pauseOf()).toBeNull();
    expect(await due()).toBe(now);
  });

  test('a pause is probed after a minute, then at doubled intervals up to an hour', async () => {
    await pauses.pause({ of: 'channel', id: channel }, 'Missing Permissions');
    const probes: number[] = [];
    const start = now;
    for (let minute = 0; minute <= 8 * 60; minute++) {
      const before = probed.length;
      await probe();
      if (probed.length > before) probes.push(minute);
      now = start + (minute + 1) * MINUTE;
    }
    expect(probes).toEqual([1, 2, 4, 8, 16, 32, 64, 124, 184, 244, 304, 364, 424]);
    expect(await pauseOf()).not.toBeNull();
  });

  test('a probe is due in time after the clock was set back', async () => {
    await pauses.pause({ of: 'channel', id: channel }, 'Missing Permissions');
    now -= HOUR;
    await probe();
    expect(probed).toEqual([channel]);
    await probe();
    expect(probed).toEqual([channel]);
    now += MINUTE;
    await probe();
    expect(probed).toEqual([channel, channel]);
  });

  test('a probe that succeeds ends the pause', async () => {
    await pauses.pause({ of: 'channel', id: channel }, 'Missing Permissions');
    const due = await addHeld();
    now += MINUTE;
    answer = { canSend: true, reason: null, detail: '' };
    await probe();
    expect(await pauseOf()).toBeNull();
    expect(await due()).toBe(now);
  });

  test('a client is probed by its token, regardless of its channels', async () => {
    await pauses.pause({ of: 'client', id: client }, '401: Unauthorized');
    now += MINUTE;
    answer = { canSend: false, reason: 'token_refused', detail: '' };
    await probe();
    expect(await pauseOf()).not.toBeNull();
    now += MINUTE;
    answer = { canSend: false, reason: 'missing_send_messages', detail: '' };
    await probe();
    expect(await pauseOf()).toBeNull();
  });

  test('only one of several nodes probes', async () => {
    await pauses.pause({ of: 'channel', id: channel }, 'Missing Permissions');
    now += MINUTE;
    await Promise.all([probe(), probe(), probe()]);
    expect(probed).toHaveLength(1);
  });

  test('a pause requested by the platform applies on every node', async () => {
    const other = createTargets({ database, clock: { now: () => now } });
    expect((await other.ofChannel(channel))?.limitedUntil).toBe(0);
    await pauses.limit({ of: 'channel', id: channel }, 5_000);
    await pauses.limit({ of: 'client', id: client }, 9_000);
    expect((await other.ofChannel(channel))?.limitedUntil).toBe(now + 9_000);
  });
});
