import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Changed } from '../tree/changes.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import type { Accounts } from './accounts.ts';
import { createAdministration } from './administration.ts';
import { createMemberships } from './memberships.ts';
import { createNamesOf } from './names.ts';
import { createSharedWorkspaces, type WorkspaceCreators } from './shared-workspaces.ts';
import { createWorkspaceTokens } from './tokens.ts';

interface TeamsDeps {
  database: Database;
  clock: Clock;
  accounts: Accounts;
  workspaces: Workspaces;
  limits: { workspaceBytes: number; workspaceCreators: WorkspaceCreators };
  changed: Changed;
}

export type Teams = ReturnType<typeof createTeams>;

/** Shared workspaces, their members and their tokens. */
export function createTeams({ database, clock, accounts, workspaces, limits, changed }: TeamsDeps) {
  const { workspaceBytes, workspaceCreators: creators } = limits;
  return {
    shared: createSharedWorkspaces({ database, workspaces, creators, changed }),
    memberships: createMemberships({ database, accounts, workspaces, changed }),
    tokens: createWorkspaceTokens({ database, clock }),
    namesOf: createNamesOf({ database, clock, accounts }),
    administration: createAdministration({ database, accounts, workspaceBytes }),
  };
}
