import { type Connection, createBusyConnections } from './busy-connections.ts';
import { openDescriptorLimit } from './descriptors.ts';

/** The share of the file descriptors that connections without a request may hold. */
const WAITING_SHARE = 1 / 2;
/** The share that connections with a request may hold. The rest is left for files, the database and processes. */
const BUSY_SHARE = 3 / 4;
/** Number of connections of each kind that is always allowed. */
const FEW = 32;
/**
 * Turns of the event loop in which a new connection is not closed: data that its client has already sent is read in the
 * turn after the one that accepts the connection.
 */
const UNREAD_TURNS = 2;

/**
 * Limits the connections, each of which holds a file descriptor. Without it, a client that opens connections and sends
 * nothing would keep all others waiting until its connections are closed as idle, and Bun would occupy a core with
 * attempts to accept the next one.
 */
export interface Connections {
  /** Records a new connection. When too many wait for a request, closes the oldest of them. */
  opened(connection: Connection): void;
  /**
   * Records that the head of a request has arrived. When too many requests are under way, closes the oldest connections
   * of an address that has more than half of them, unless it is the address of this one or of a proxy.
   * @returns false when there is no such address
   */
  began(connection: Connection): boolean;
  /** Records that a response was sent. */
  ended(connection: Connection): void;
}

interface ConnectionsDeps {
  /** Number of file descriptors that the process may open. */
  descriptorLimit?: () => number;
  /** Reports whether an address has the connections of many clients. */
  isProxy?(address: string): boolean;
}

export function createConnections({
  descriptorLimit,
  isProxy = () => false,
}: ConnectionsDeps = {}): Connections {
  let limit = descriptorLimit;
  let turn = 0;
  let isDue = false;
  const busy = createBusyConnections(isProxy);
  /** Connections that have not yet sent a complete head, oldest first, with the turn in which they were opened. */
  const unused = new Map<Connection, number>();
  /** Connections between two requests; the one that waits longest first. */
  const idle = new Set<Connection>();

  function bound(share: number): number {
    limit ??= openDescriptorLimit();
    return Math.max(FEW, Math.floor(limit() * share));
  }

  function forget(connection: Connection): void {
    busy.forget(connection);
    unused.delete(connection);
    idle.delete(connection);
  }

  function close(connection: Connection): void {
    forget(connection);
    connection.destroy();
  }

  /** Each kind may fill half of the bound, so that neither displaces the other. */
  function closeExcess(): void {
    const most = Math.max(FEW, Math.min(bound(WAITING_SHARE), bound(BUSY_SHARE) - busy.count));
    for (const [connection, since] of unused) {
      if (unused.size + idle.size <= most || unused.size <= most / 2) break;
      if (turn - since < UNREAD_TURNS) {
        checkLater();
        return;
      }
      close(connection);
    }
    for (const connection of idle) {
      if (unused.size + idle.size <= most) return;
      close(connection);
    }
  }

  function checkLater(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      turn++;
      closeExcess();
    });
  }

  return {
    opened(connection) {
      unused.set(connection, turn);
      connection.once('close', () => forget(connection));
      if (unused.size + idle.size > FEW) closeExcess();
    },
    began(connection) {
      if (busy.has(connection)) {
        busy.began(connection);
        return true;
      }
      // It was closed meanwhile.
      if (!unused.delete(connection) && !idle.delete(connection)) return true;
      busy.began(connection);
      if (busy.count <= FEW || busy.count <= bound(BUSY_SHARE)) return true;
      const excess = busy.excessFor(connection);
      excess.forEach(close);
      return excess.length > 0;
    },
    ended(connection) {
      if (busy.ended(connection)) idle.add(connection);
    },
  };
}
