import type { Config } from './config/config.ts';
import type { Foundation } from './foundation.ts';
import { createPeople } from './identity/people.ts';
import { createWorkspaces } from './storage/workspaces.ts';

/** Accounts as the server and the commands both need them: an account comes to be together with its personal workspace. */
export function openPeople({ database, clock, vault }: Foundation, config: Config) {
  const workspaces = createWorkspaces({ database, clock, workspaceBytes: config.limits.workspaceBytes });
  const people = createPeople({
    database,
    clock,
    vault,
    issuer: config.externalIssuer?.url.replace(/\/+$/, '') ?? null,
    accountCreated: workspaces.createPersonal,
  });
  return { ...people, profileOf: (accountId: string) => workspaces.profileOf(accountId) };
}
