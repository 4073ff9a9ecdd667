import type { Socket } from 'node:net';
import { limitKey } from '../../ip.ts';
import { createTally } from '../../tally.ts';
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

/** Share of the connections of an address that are closed at once, so that requests rarely cause a search for them. */
const CLOSED_SHARE = 1 / 4;

/** A connection that this module can close. */
type Connection = Pick<Socket, 'once' | 'destroy' | 'remoteAddress'>;

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
  /** Addresses of the open connections. */
  const addresses = new Map<Connection, string>();
  /** Connections with requests under way, by address. */
  const busy = createTally<string>();
  /** Requests under way, by connection. */
  const requests = new Map<Connection, number>();
  /** Connections that have not yet sent a complete head, oldest first, with the turn in which they were opened. */
  const unused = new Map<Connection, number>();
  /** Connections between two requests; the one that waits longest first. */
  const idle = new Set<Connection>();

  function bound(share: number): number {
    limit ??= openDescriptorLimit();
    return Math.max(FEW, Math.floor(limit() * share));
  }

  const addressOf = (connection: Connection) => addresses.get(connection) ?? '';

  function forget(connection: Connection): void {
    if (requests.get(connection)) busy.add(addressOf(connection), -1);
    addresses.delete(connection);
    requests.delete(connection);
    unused.delete(connection);
    idle.delete(connection);
  }

  function close(connection: Connection): void {
    forget(connection);
    connection.destroy();
  }

  /** Returns the address with more than half of the connections in use; undefined = there is none. */
  function heaviest(): string | undefined {
    for (const address of busy.keys()) if (busy.of(address) > busy.total / 2) return address;
    return undefined;
  }

  /** Returns false when the connection must be refused. */
  function makeRoomFor(connection: Connection): boolean {
    const address = heaviest();
    if (address === undefined || address === addressOf(connection)) return false;
    let left = busy.of(address) * CLOSED_SHARE;
    for (const [each, underWay] of requests) {
      if (underWay === 0 || addressOf(each) !== address) continue;
      if (isProxy(each.remoteAddress ?? '')) return false;
      close(each);
      if (--left <= 0) break;
    }
    return true;
  }

  /** Each kind may fill half of the bound, so that neither drives out the other. */
  function closeExcess(): void {
    const most = Math.max(FEW, Math.min(bound(WAITING_SHARE), bound(BUSY_SHARE) - busy.total));
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
      addresses.set(connection, limitKey(connection.remoteAddress ?? ''));
      connection.once('close', () => forget(connection));
      if (unused.size + idle.size > FEW) closeExcess();
    },
    began(connection) {
      const underWay = requests.get(connection) ?? 0;
      // It was closed meanwhile.
      if (underWay === 0 && !unused.delete(connection) && !idle.delete(connection)) return true;
      requests.set(connection, underWay + 1);
      if (underWay > 0) return true;
      busy.add(addressOf(connection), 1);
      return busy.total <= FEW || busy.total <= bound(BUSY_SHARE) || makeRoomFor(connection);
    },
    ended(connection) {
      const underWay = requests.get(connection);
      // It was closed meanwhile.
      if (underWay === undefined) return;
      requests.set(connection, underWay - 1);
      if (underWay > 1) return;
      busy.add(addressOf(connection), -1);
      idle.add(connection);
    },
  };
}
