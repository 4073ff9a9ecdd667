import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { createTurns, RETRY_STEP_MS } from '../../kernel/limits/turns.ts';
import { createTally } from '../../kernel/tally.ts';

/** The limits that a delivery to a server counts towards. */
export interface Places {
  server: string;
  /** Maximum number of concurrent deliveries to the server. */
  most: number;
  /** Maximum number of concurrent deliveries to all servers of a group, by its name. */
  groups: Readonly<Record<string, number>>;
}

/** Keeps failing servers from occupying all concurrent deliveries. */
export interface Pressure {
  /**
   * Takes a place at the server and in its groups and returns 0, or takes none and returns the ms to wait, which are
   * more for each waiting delivery.
   */
  enter(places: Places): number;
  /** Frees the place. @param failed whether the server failed */
  leave(places: Places, failed: boolean): void;
}

/** Number of failures in a row after which a server counts as failing. */
const FAILING_AFTER = 3;
const PLACES_WHEN_FAILING = 2;
const MAX_WAIT_MS = MINUTE;
/** Bounds the memory, since callers choose the servers. */
const SERVERS_KEPT = 10_000;

export function createPressure(clock: Clock): Pressure {
  const turns = createTurns(clock);
  const servers = createCache<{ underWay: number; failures: number; at: number }>({ max: SERVERS_KEPT });
  /** Number of deliveries under way, by group. */
  const inGroups = createTally<string>();
  const countGroups = (groups: Places['groups'], change: 1 | -1) => {
    for (const name of Object.keys(groups)) inGroups.add(name, change);
  };
  return {
    enter({ server, most, groups }) {
      const [full] = Object.entries(groups).find(([name, all]) => inGroups.of(name) >= all) ?? [];
      if (full !== undefined) return turns.next(`group ${full}`, SECOND, RETRY_STEP_MS);
      const state = servers.get(server) ?? { underWay: 0, failures: 0, at: clock.now() };
      const isFailing = state.failures >= FAILING_AFTER;
      if (state.underWay >= (isFailing ? Math.min(most, PLACES_WHEN_FAILING) : most)) {
        const wait = isFailing
          ? Math.min(MAX_WAIT_MS, SECOND * 2 ** Math.min(state.failures - FAILING_AFTER + 1, 10))
          : SECOND;
        return turns.next(`${wait} ${server}`, wait, RETRY_STEP_MS);
      }
      state.underWay++;
      countGroups(groups, 1);
      servers.set(server, state);
      return 0;
    },
    leave({ server, groups }, failed) {
      countGroups(groups, -1);
      const state = servers.get(server);
      if (!state) return;
      state.underWay--;
      state.failures = failed ? state.failures + 1 : 0;
      if (state.underWay === 0 && state.failures === 0) servers.delete(server);
    },
  };
}
