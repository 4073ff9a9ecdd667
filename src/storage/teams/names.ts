import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Accounts } from './accounts.ts';

/** Maximum number of cached names, each for a minute, and of cached workspaces. */
const MAX_NAMES = 10_000;

/**
 * Returns the names of the members, people and tokens, that created or changed items of shared workspaces, by id.
 * Unknown ids are left out, and so are items of personal workspaces, where the member is always the owner.
 */
export type NamesOf = (
  items: readonly { workspaceId: string; createdBy: string | null; modifiedBy?: string | null }[],
) => Promise<ReadonlyMap<string, string>>;

interface NamesDeps {
  database: Database;
  clock: Clock;
  accounts: Accounts;
}

export function createNamesOf({ database: { read }, clock, accounts }: NamesDeps): NamesOf {
  const names = createCache<string>({ max: MAX_NAMES, expiry: { ttlMs: MINUTE, clock } });
  const kinds = createCache<'personal' | 'shared'>({ max: MAX_NAMES });

  async function readNames(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const tokens = await read
      .selectFrom('workspace_tokens')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .execute();
    for (const { id, name } of [...(await accounts.byIds(ids)), ...tokens]) names.set(id, name);
  }

  async function readKinds(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const query = read.selectFrom('workspaces').select(['id', 'is_personal']).where('id', 'in', ids);
    for (const { id, is_personal } of await query.execute())
      kinds.set(id, is_personal === 1 ? 'personal' : 'shared');
  }

  return async (items) => {
    const workspaces = new Set(items.map(({ workspaceId }) => workspaceId));
    await readKinds([...workspaces].filter((id) => !kinds.has(id)));
    const shared = items.filter(({ workspaceId }) => kinds.get(workspaceId) === 'shared');
    const members = shared.flatMap(({ createdBy, modifiedBy = null }) => [createdBy, modifiedBy]);
    const ids = [...new Set(members)].filter((id) => id !== null);
    await readNames(ids.filter((id) => !names.has(id)));
    return new Map(
      ids.flatMap((id) => {
        const name = names.get(id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  };
}
