import type { Config } from './config/config.ts';
import type { Foundation } from './foundation.ts';
import { createPeople, type People } from './identity/people.ts';

/** Accounts as the server and the commands both need them: with all that comes to be together with an account. */
export function openPeople({ database, clock, vault }: Foundation, config: Config): People {
  return createPeople({
    database,
    clock,
    vault,
    issuer: config.externalIssuer?.url.replace(/\/+$/, '') ?? null,
    accountCreated: async () => {},
  });
}
