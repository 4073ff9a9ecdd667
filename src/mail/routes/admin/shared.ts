import type { Guard } from '../../../identity/guard.ts';
import { guid } from '../../../kernel/http/params.ts';

/** The fields of every endpoint in this folder. */
export function administration({ guard }: { guard: Guard }) {
  return { tags: ['mail administration'], auth: guard.admin };
}

/** Returns the options of an endpoint with the id of a record in its path. */
export function ofRecord(deps: { guard: Guard }) {
  return { ...administration(deps), params: { id: guid } };
}
