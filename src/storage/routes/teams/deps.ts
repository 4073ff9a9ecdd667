import type { Guard } from '../../../identity/guard.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Teams } from '../../teams/teams.ts';
import type { RoutesDeps } from '../deps.ts';

/** Dependencies of the endpoints of workspaces, their members and tokens; each uses some of them. */
export interface TeamRoutesDeps extends Pick<RoutesDeps, 'database' | 'members' | 'workspaces'> {
  clock: Clock;
  guard: Guard;
  teams: Teams;
}
