import { openIdentityStores } from '../../foundation/identity-stores.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { WorkspaceUse } from '../../storage/teams/administration.ts';
import { createTeams, type Teams } from '../../storage/teams/teams.ts';
import { publishesNothing } from '../../storage/tree/changes.ts';
import { createWorkspaces, type Workspaces } from '../../storage/tree/workspaces.ts';
import { CommandError, type ParsedCommand, withFoundation } from './cli.ts';

interface TeamStores extends Teams {
  database: Database;
  clock: Clock;
  workspaces: Workspaces;
}

/** Opens workspaces, their members and tokens for one command, and closes them afterwards. */
export function withTeams<Result>(
  command: ParsedCommand,
  work: (stores: TeamStores) => Promise<Result>,
): Promise<Result> {
  return withFoundation(command, async (foundation, config) => {
    const { database, clock } = foundation;
    const { limits } = config;
    const { accounts } = openIdentityStores(foundation, config);
    const workspaces = createWorkspaces({ database, clock, limits });
    const teams = createTeams({ database, clock, accounts, workspaces, limits, changed: publishesNothing });
    return await work({ ...teams, database, clock, workspaces });
  });
}

/** Like `withTeams`, for the shared workspace with a name or an id. @throws CommandError unless there is exactly one */
export function withWorkspace<Result>(
  command: ParsedCommand,
  nameOrId: string,
  work: (workspace: WorkspaceUse, stores: TeamStores) => Promise<Result>,
): Promise<Result> {
  return withTeams(command, async (stores) => {
    const found = (await stores.administration.all()).filter(
      ({ id, name, personal, deleted }) =>
        !personal && !deleted && (name === nameOrId || id === nameOrId.toLowerCase()),
    );
    const [workspace] = found;
    if (!workspace)
      throw new CommandError(
        `There is no shared workspace named “${nameOrId}”. “posthouse workspace list” lists them.`,
        'not_found',
      );
    if (found.length > 1)
      throw new CommandError(
        `Several workspaces are named “${nameOrId}”: use the id of one of them.`,
        'conflict',
      );
    return await work(workspace, stores);
  });
}
