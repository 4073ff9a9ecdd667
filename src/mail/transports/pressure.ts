import { createCache } from '../../kernel/cache.ts';
import { type Clock, MINUTE, SECOND } from '../../kernel/clock.ts';
import { steadyClock } from '../../kernel/limits/steady-clock.ts';
import { createTally } from '../../kernel/tally.ts';
import { createPace } from './pace.ts';
import { createTurns, RETRY_STEP_MS } from './turns.ts';

/** The server and the client toward whose limits a delivery counts. */
export interface Destination {
  server: string;
  /** The client whose settings or requests name the server; null = the configured server. */
  client: string | null;
}

/** Maximum number of concurrent deliveries. */
interface PressureLimits {
  /** To the servers of one client. */
  client: number;
  /** To the servers of all clients, which may hang. */
  clients: number;
}

/** Keeps failing servers, and clients, from occupying all concurrent deliveries. */
export interface Pressure {
  /**
   * Acquires a permit and returns 0, or none and returns the ms to wait, which are more for each waiting delivery of
   * the client. Thousands may wait for servers that hang, and each attempt is written to the database.
   */
  enter(destination: Destination): number;
  /** Releases the permit. @param failed whether the server failed */
  leave(destination: Destination, failed: boolean): void;
}

/** Number of failures in a row after which a server counts as failing. */
const FAILING_AFTER = 3;
const PERMITS_WHEN_FAILING = 2;
const MAX_WAIT_MS = MINUTE;
/** Bounds the memory, since callers choose the servers. */
const SERVERS_KEPT = 10_000;
/** Time for which a permit stays reserved after the turn of a client, since the outbox may claim its delivery late. */
const RESERVED_MS = SECOND;

// A client's server is counted separately from the configured one at the same address, and from those of other clients.
const keyOf = ({ server, client }: Destination) => `${client} ${server}`;

export function createPressure(systemTime: Clock, limits: PressureLimits): Pressure {
  const clock = steadyClock(systemTime);
  const turns = createTurns(clock);
  const pace = createPace(clock);
  const servers = createCache<{ underWay: number; failures: number }>({ max: SERVERS_KEPT });
  /** Number of deliveries under way, by client. */
  const clients = createTally<string>();
  /** Ends of the reservations of clients that wait for a permit of those of all clients. */
  const waiting = new Map<string, number>();

  /** Returns the ms until a failing server may have a permit. */
  function waitForServer(destination: Destination): number {
    const { underWay, failures } = servers.get(keyOf(destination)) ?? { underWay: 0, failures: 0 };
    if (failures < FAILING_AFTER || underWay < PERMITS_WHEN_FAILING) return 0;
    const wait = Math.min(MAX_WAIT_MS, SECOND * 2 ** Math.min(failures - FAILING_AFTER + 1, 10));
    return turns.next(`${wait} ${keyOf(destination)}`, wait, RETRY_STEP_MS);
  }

  /** Returns the ms until the client may have a permit. */
  function waitForClient(client: string): number {
    const own = clients.of(client);
    const limit = `client ${client}`;
    if (own >= limits.client) return turns.next(limit, SECOND, pace.stepMs(limit));
    const now = clock.now();
    for (const [each, end] of waiting) if (end <= now) waiting.delete(each);
    // One permit for each waiting client with fewer deliveries: otherwise the client with the most attempts gets all.
    const reserved = [...waiting.keys()].filter((each) => clients.of(each) < own).length;
    if (clients.total + reserved < limits.clients) return 0;
    const sharing = waiting.has(client) ? waiting.size : waiting.size + 1;
    const wait = turns.next(`clients ${client}`, SECOND, pace.stepMs('clients') * sharing);
    waiting.set(client, now + wait + RESERVED_MS);
    return wait;
  }

  return {
    enter(destination) {
      const { client } = destination;
      const wait = waitForServer(destination) || (client === null ? 0 : waitForClient(client));
      if (wait > 0) return wait;
      const state = servers.get(keyOf(destination)) ?? { underWay: 0, failures: 0 };
      state.underWay++;
      servers.set(keyOf(destination), state);
      if (client !== null) clients.add(client, 1);
      return 0;
    },
    leave(destination, failed) {
      const { client } = destination;
      if (client !== null) {
        clients.add(client, -1);
        if (!failed) for (const limit of [`client ${client}`, 'clients']) pace.delivered(limit);
      }
      const state = servers.get(keyOf(destination));
      if (!state) return;
      state.underWay--;
      state.failures = failed ? state.failures + 1 : 0;
      if (state.underWay === 0 && state.failures === 0) servers.delete(keyOf(destination));
    },
  };
}
