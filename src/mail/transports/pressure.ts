import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';

/** A server with the number of concurrent deliveries to it, and the groups of servers that it belongs to. */
export interface Places {
  server: string;
  most: number;
  /** Maximum number of concurrent deliveries to all servers of a group, by its name. */
  groups: Readonly<Record<string, number>>;
}

/** Keeps servers in trouble from occupying all concurrent deliveries. */
export interface Pressure {
  /** Takes a place at the server and in its groups; returns 0, or the ms to wait, and takes none. */
  enter(places: Places): number;
  leave(places: Places, trouble: boolean): void;
}

const TROUBLED_AFTER = 3;
const PLACES_IN_TROUBLE = 2;
const MAX_WAIT_MS = MINUTE;
/** Callers name the servers. */
const SERVERS_KEPT = 10_000;

export function createPressure(clock: Clock, random: () => number = Math.random): Pressure {
  const servers = createCache<{ underWay: number; failures: number; at: number }>({ max: SERVERS_KEPT });
  /** Number of deliveries under way, by group. */
  const inGroups = new Map<string, number>();
  const countGroups = (groups: Places['groups'], change: 1 | -1) => {
    for (const name of Object.keys(groups)) {
      const count = (inGroups.get(name) ?? 0) + change;
      if (count > 0) inGroups.set(name, count);
      else inGroups.delete(name);
    }
  };
  return {
    enter({ server, most, groups }) {
      if (Object.entries(groups).some(([name, all]) => (inGroups.get(name) ?? 0) >= all))
        return Math.ceil(SECOND * (0.5 + random()));
      const state = servers.get(server) ?? { underWay: 0, failures: 0, at: clock.now() };
      const troubled = state.failures >= TROUBLED_AFTER;
      if (state.underWay >= (troubled ? Math.min(most, PLACES_IN_TROUBLE) : most)) {
        const wait = troubled
          ? Math.min(MAX_WAIT_MS, SECOND * 2 ** Math.min(state.failures - TROUBLED_AFTER + 1, 10))
          : SECOND;
        return Math.ceil(wait * (0.5 + random()));
      }
      state.underWay++;
      countGroups(groups, 1);
      servers.set(server, state);
      return 0;
    },
    leave({ server, groups }, trouble) {
      countGroups(groups, -1);
      const state = servers.get(server);
      if (!state) return;
      state.underWay--;
      state.failures = trouble ? state.failures + 1 : 0;
      if (state.underWay === 0 && state.failures === 0) servers.delete(server);
    },
  };
}
