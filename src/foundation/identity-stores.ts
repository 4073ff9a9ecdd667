import type { Config } from '../config/config.ts';
import { createIdentityStores, type IdentityStores } from '../identity/stores.ts';
import { createWorkspaces } from '../storage/tree/workspaces.ts';
import type { Foundation } from './foundation.ts';

/** Opens accounts, sessions and tokens. Creating an account also creates its personal workspace. */
export function openIdentityStores(
  { database, clock, vault, passwords }: Foundation,
  config: Config,
): IdentityStores {
  const workspaces = createWorkspaces({ database, clock, limits: config.limits });
  return createIdentityStores({
    database,
    clock,
    vault,
    passwords,
    issuer: config.externalIssuer?.url.replace(/\/+$/, '') ?? null,
    accountCreated: workspaces.createPersonal,
  });
}
