import type { Database } from '../../kernel/database/database.ts';
import type { Outbox } from '../../kernel/outbox/outbox.ts';
import type { Target, Targets } from '../directory/targets.ts';
import { isTransient } from '../platform/obstacles.ts';
import type { Pausable, Pauses } from '../platform/pauses.ts';
import { CHAT } from '../sending/payload.ts';
import type { Reach } from './reach.ts';

interface ProbingDeps {
  database: Database;
  pauses: Pauses;
  targets: Targets;
  reach: Reach;
  outbox: Outbox;
}

/** Returns a job that probes the paused targets that are due, and lifts the pauses of those that work again. */
export function createProbing({
  database,
  pauses,
  targets,
  reach,
  outbox,
}: ProbingDeps): () => Promise<void> {
  async function targetOf({ of, id }: Pausable): Promise<Target | null> {
    if (of === 'channel') return await targets.ofChannel(id);
    const channel = await database.read
      .selectFrom('chat_channels')
      .innerJoin('chat_guilds', 'chat_guilds.id', 'chat_channels.guild_id')
      .select('chat_channels.id')
      .where('chat_guilds.client_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    return channel ? await targets.ofChannel(channel.id) : null;
  }

  return async () => {
    for (const pausable of await pauses.dueForProbe()) {
      const target = await targetOf(pausable);
      if (!target || (pausable.of === 'channel' && target.pause?.of === 'client')) continue;
      const { canSend, reason } = await reach.checkNow(target);
      // A client works when its token is accepted, even if a channel does not.
      const works = pausable.of === 'channel' ? canSend : reason !== 'token_refused' && !isTransient(reason);
      if (!works) continue;
      await database.transaction((trx) => pauses.lift(trx, pausable));
      outbox.wake(CHAT);
    }
  };
}
