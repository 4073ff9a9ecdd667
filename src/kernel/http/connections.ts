import type { Socket } from 'node:net';
import { openDescriptorLimit } from '../descriptors.ts';

/** The part of the file descriptors that connections without a request may hold. */
const SHARE = 1 / 2;
/** Connections without a request that are never too many. */
const FEW = 32;
/**
 * Turns of the event loop in which a new connection is not closed: what its client sent with it is read in the turn
 * after the one that accepts it.
 */
const UNREAD_TURNS = 2;

/** A connection that this module can close. */
type Connection = Pick<Socket, 'once' | 'destroy'>;

/**
 * Limits the connections that wait for a request, each of which holds a file descriptor. Without it, a client that
 * opens connections and sends nothing would keep all others waiting until its connections are closed for idleness.
 */
export interface Connections {
  /** Records a new connection. */
  opened(connection: Connection): void;
  /** Records that the head of a request has arrived. */
  began(connection: Connection): void;
  /** Records that a response was sent. */
  ended(connection: Connection): void;
}

interface ConnectionsDeps {
  /** Number of file descriptors that the process may open. */
  descriptorLimit?: () => number;
}

export function createConnections({ descriptorLimit }: ConnectionsDeps = {}): Connections {
  let limit = descriptorLimit;
  let turn = 0;
  let isDue = false;
  /** Requests under way, by connection. */
  const requests = new Map<Connection, number>();
  /** Connections that have not yet sent a complete head, oldest first, with the turn in which they were opened. */
  const unused = new Map<Connection, number>();
  /** Connections between two requests; the one that waits longest first. */
  const idle = new Set<Connection>();

  function bound(): number {
    limit ??= openDescriptorLimit();
    return Math.max(FEW, Math.floor(limit() * SHARE));
  }

  function forget(connection: Connection): void {
    requests.delete(connection);
    unused.delete(connection);
    idle.delete(connection);
  }

  function close(connection: Connection): void {
    forget(connection);
    connection.destroy();
  }

  /** Each kind may fill half of the bound, so that neither drives out the other. */
  function closeExcess(): void {
    const most = bound();
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
      requests.set(connection, (requests.get(connection) ?? 0) + 1);
      if (!unused.delete(connection)) idle.delete(connection);
    },
    ended(connection) {
      const under = requests.get(connection);
      // It was closed meanwhile.
      if (under === undefined) return;
      requests.set(connection, under - 1);
      if (under === 1) idle.add(connection);
    },
  };
}
