import type { Guard } from '../../../identity/guard.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { administrationOf } from '../../../kernel/http/administration.ts';
import type { Change } from '../../directory/change.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Pauses } from '../../platform/pauses.ts';

/** Dependencies of the endpoints that list, create, update and delete clients, guilds and channels. */
export interface AdminDeps {
  database: Database;
  directory: Directory;
  pauses: Pauses;
  change: Change;
  guard: Guard;
}

export const { administration, ofRecord } = administrationOf('chat administration');
