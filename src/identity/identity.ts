import { HOUR } from '../kernel/clock.ts';
import type { Ctx } from '../kernel/http/context.ts';
import type { Service } from '../kernel/service.ts';
import { createGuard, type Guard } from './guard.ts';
import type { People } from './people.ts';

interface IdentityParts {
  people: People;
  /** The origins under which people reach this server, the public one first. */
  origins: readonly [string, ...string[]];
}

/** People: who they are, how they sign in, and the guard that tells the other services. */
export function createIdentity({ people, origins }: IdentityParts): Service & { guard: Guard; isAdmin(c: Ctx): Promise<boolean> } {
  const { sessions, tokens } = people;
  const guard = createGuard({ sessions, tokens, origins });
  return {
    guard,
    isAdmin: async (c) => (await guard.sessionOf(c))?.role === 'admin',
    mount() {},
    keepUp(upkeep) {
      upkeep.every(HOUR, 'sessions', sessions.sweep);
    },
  };
}
