import type { App } from '../../../kernel/http/context.ts';
import { mountAdministration } from './administration.ts';
import type { TeamRoutesDeps } from './deps.ts';
import { mountMembers } from './members.ts';
import { mountWorkspaceTokens } from './tokens.ts';
import { mountWorkspaces } from './workspaces.ts';

/** Workspaces, their members and tokens, and their administration. */
export function mountTeams(app: App, deps: TeamRoutesDeps): void {
  mountWorkspaces(app, deps);
  mountMembers(app, deps);
  mountWorkspaceTokens(app, deps);
  mountAdministration(app, deps);
}
