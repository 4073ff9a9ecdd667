import { beforeAll, describe, expect, test } from 'bun:test';
import { DATABASES, freshDatabase } from '../../../test/harness/database.ts';
import { createVault } from '../../kernel/crypto/vault.ts';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createTargets, type Target } from './targets.ts';

/** Does not advance, so that no entry expires. */
const clock = { now: () => 0 };

describe.each(DATABASES)('targets that nodes cache on %s', (kind) => {
  let database: Database;
  let directory: Directory;

  beforeAll(async () => {
    database = await freshDatabase(kind);
    directory = createDirectory({ vault: createVault(Buffer.alloc(32, 1)), clock });
  });

  test.each([
    ['disabled client', (trx, { client }) => directory.changeClient(trx, client.id, { enabled: false })],
    ['disabled guild', (trx, { guild }) => directory.changeGuild(trx, guild.id, { enabled: false })],
    ['disabled channel', (trx, { channel }) => directory.changeChannel(trx, channel.id, { enabled: false })],
    ['new relay key', (trx, { client }) => directory.changeClient(trx, client.id, { relayKey: true })],
    ['deleted guild', (trx, { guild }) => directory.remove(trx, 'guild', guild.id)],
  ] as [string, (trx: Transaction, target: Target) => Promise<unknown>][])(
    'a %s is seen by the next lookup of each node',
    async (name, change) => {
      const { clientId, channelId } = await database.transaction(async (trx) => {
        const { client } = await directory.addClient(trx, {
          name,
          platform: 'sandbox',
          token: null,
          relayKey: false,
        });
        const guild = await directory.addGuild(trx, client.id, { platformId: '123456789012345678', name });
        const channel = await directory.addChannel(trx, guild.id, { platformId: '223456789012345678', name });
        return { clientId: client.id, guildId: guild.id, channelId: channel.id };
      });
      const reference = { clientId, guildId: '123456789012345678', channelId: '223456789012345678' };
      const nodes = [0, 1, 2].map(() => createTargets({ database, clock }));
      const lookups = () =>
        Promise.all(
          nodes.flatMap((node) => [node.ofChannel(channelId), node.find(reference).catch(() => null)]),
        );
      const before = await lookups();
      const [target] = before;
      if (!target) throw new Error('there is no target');
      expect(before).toEqual(before.map(() => target));
      await database.transaction((trx) => change(trx, target));
      const after = await lookups();
      expect(after[0]).not.toEqual(target);
      expect(after).toEqual(after.map(() => after[0] ?? null));
    },
  );
});
