import type { Guard } from '../../../identity/guard.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database/database.ts';
import type { App } from '../../../kernel/http/context.ts';
import type { Teams } from '../../teams/teams.ts';
import type { Workspaces } from '../../tree/workspaces.ts';
import type { Members } from '../members.ts';
import { mountAdministration } from './administration.ts';
import { mountMembers } from './members.ts';
import { mountWorkspaceTokens } from './tokens.ts';
import { mountWorkspaces } from './workspaces.ts';

interface TeamRoutesDeps {
  database: Database;
  clock: Clock;
  guard: Guard;
  members: Members;
  workspaces: Workspaces;
  teams: Teams;
}

/** Workspaces, their members and tokens, and their administration. */
export function mountTeams(app: App, deps: TeamRoutesDeps): void {
  const { database, clock, guard, members, workspaces, teams } = deps;
  const { shared, memberships, tokens, administration } = teams;
  mountWorkspaces(app, { database, guard, members, workspaces, shared });
  mountMembers(app, { database, members, workspaces, memberships });
  mountWorkspaceTokens(app, { database, clock, members, workspaces, tokens });
  mountAdministration(app, { database, guard, workspaces, administration, memberships });
}
