import { sql } from 'kysely';
import type { Database, Transaction } from '../../kernel/database/database.ts';
import { jsonTable } from '../../kernel/database/json-table.ts';
import type { EventData, Events, Topic } from '../../kernel/events.ts';

/**
 * Publishes, after the commit, that the content of a folder has changed.
 * @param folderId null = something else of the workspace, such as its trash or its members
 */
export type Changed = (trx: Transaction, workspaceId: string, folderId: string | null) => void;

/** For commands, since only servers publish events: open pages show the change at their next request. */
export const publishesNothing: Changed = () => {};

const TOPIC = 'files';

export function createChanged(database: Database, events: Pick<Events, 'publish'>): Changed {
  return (trx, workspaceId, folderId) =>
    database.afterCommit(trx, () => events.publish({ topic: TOPIC, data: { workspaceId, folderId } }));
}

/** Changes of files and folders, for the members of their workspace. */
export function filesTopic(database: Database): Topic {
  return {
    name: TOPIC,
    async audience(events, watchers) {
      const byMember = Map.groupBy(watchers, ({ memberId }) => memberId);
      const workspaceOf = ({ workspaceId }: EventData) => workspaceId ?? '';
      const members = await membersOf(database, [...new Set(events.map(workspaceOf))], [...byMember.keys()]);
      return events.map((event) =>
        (members.get(workspaceOf(event)) ?? []).flatMap(({ memberId }) => byMember.get(memberId) ?? []),
      );
    },
  };
}

/** Returns those of the members that are in the workspaces, by workspace. */
async function membersOf(database: Database, workspaceIds: readonly string[], memberIds: readonly string[]) {
  const table = (name: string, ids: readonly string[]) =>
    jsonTable(
      database.kind,
      name,
      { id: 'text' },
      ids.map((id) => ({ id })),
    );
  const { rows } = await sql<{ workspaceId: string; memberId: string }>`
    select memberships.workspace_id as "workspaceId", memberships.account_id as "memberId"
    from ${table('changed', workspaceIds)}
      join memberships on memberships.workspace_id = changed.id
      join ${table('watching', memberIds)} on watching.id = memberships.account_id`.execute(database.read);
  return Map.groupBy(rows, ({ workspaceId }) => workspaceId);
}
