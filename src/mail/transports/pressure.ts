import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';

/** Keeps a server in trouble from occupying all concurrent deliveries. */
export interface Pressure {
  /** Takes one of `most` places; returns 0, or the ms to wait, and takes none. */
  enter(server: string, most: number): number;
  leave(server: string, trouble: boolean): void;
}

const TROUBLED_AFTER = 3;
const PLACES_IN_TROUBLE = 2;
const LONGEST_WAIT = MINUTE;
/** Callers name the servers. */
const SERVERS_KEPT = 10_000;

export function createPressure(clock: Clock, random: () => number = Math.random): Pressure {
  const servers = createCache<{ underWay: number; failures: number; at: number }>({ max: SERVERS_KEPT });
  return {
    enter(server, most) {
      const state = servers.get(server) ?? { underWay: 0, failures: 0, at: clock.now() };
      const troubled = state.failures >= TROUBLED_AFTER;
      if (state.underWay >= (troubled ? Math.min(most, PLACES_IN_TROUBLE) : most)) {
        const wait = troubled
          ? Math.min(LONGEST_WAIT, SECOND * 2 ** Math.min(state.failures - TROUBLED_AFTER + 1, 10))
          : SECOND;
        return Math.ceil(wait * (0.5 + random()));
      }
      state.underWay++;
      servers.set(server, state);
      return 0;
    },
    leave(server, trouble) {
      const state = servers.get(server);
      if (!state) return;
      state.underWay--;
      state.failures = trouble ? state.failures + 1 : 0;
      if (state.underWay === 0 && state.failures === 0) servers.delete(server);
    },
  };
}
