import type { Guard } from '../../../identity/guard.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { guid } from '../../../kernel/http/params.ts';
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

/** The fields of every endpoint in this folder. */
export function administration({ guard }: { guard: Guard }) {
  return { tags: ['chat administration'], auth: guard.admin };
}

/** Returns the options of an endpoint with the id of a record in its path. */
export function ofRecord(deps: { guard: Guard }) {
  return { ...administration(deps), params: { id: guid } };
}
