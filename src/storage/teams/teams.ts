import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { Changed } from '../tree/changes.ts';
import type { Workspaces } from '../tree/workspaces.ts';
import { createAdministration } from './administration.ts';
import { createMemberships } from './memberships.ts';
import { createNamesOf } from './names.ts';
import type { People } from './people.ts';
import { createSharedWorkspaces, type WorkspaceCreators } from './shared-workspaces.ts';
import { createWorkspaceTokens } from './tokens.ts';

interface TeamsDeps {
  database: Database;
  clock: Clock;
  people: People;
  workspaces: Workspaces;
  limits: { workspaceBytes: number; workspaceCreators: WorkspaceCreators };
  changed: Changed;
}

export type Teams = ReturnType<typeof createTeams>;

/** Shared workspaces, their members and their tokens. */
export function createTeams({ database, clock, people, workspaces, limits, changed }: TeamsDeps) {
  const { workspaceBytes, workspaceCreators: creators } = limits;
  return {
    shared: createSharedWorkspaces({ database, workspaces, creators, changed }),
    memberships: createMemberships({ database, people, workspaces, changed }),
    tokens: createWorkspaceTokens({ database, clock }),
    namesOf: createNamesOf({ database, clock, people }),
    administration: createAdministration({ database, people, workspaceBytes }),
  };
}
