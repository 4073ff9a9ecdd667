import type { Auth } from './auth.ts';
import { guid } from './params.ts';

/** @param tag heading of the endpoints in the OpenAPI document */
export function administrationOf(tag: string) {
  /** The fields of every endpoint for administrators. */
  const administration = <Admin>({ guard }: { guard: { admin: Auth<Admin> } }) => ({
    tags: [tag],
    auth: guard.admin,
  });

  /** Returns the options of an endpoint with the id of a record in its path. */
  const ofRecord = <Admin>(deps: { guard: { admin: Auth<Admin> } }) => ({
    ...administration(deps),
    params: { id: guid },
  });

  return { administration, ofRecord };
}
