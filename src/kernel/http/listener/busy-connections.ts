import type { Socket } from 'node:net';
import { limitKey } from '../../ip.ts';
import { createTally } from '../../tally.ts';

/** A connection that can be closed. */
export type Connection = Pick<Socket, 'once' | 'destroy' | 'remoteAddress'>;

/** The connections with requests under way. */
export interface BusyConnections {
  readonly count: number;
  has(connection: Connection): boolean;
  /** Adds a request. */
  began(connection: Connection): void;
  /** Removes a request. @returns true when it was the last one of its connection */
  ended(connection: Connection): boolean;
  /** Removes all requests of a connection. */
  forget(connection: Connection): void;
  /**
   * Returns the oldest connections of the address that has more than half of them, to be closed for a request on
   * `connection`: none if there is no such address, or if it is that of `connection` or of a proxy.
   */
  excessFor(connection: Connection): readonly Connection[];
}

/** Share of the connections of an address that are closed at once, so that requests rarely cause a search for them. */
const CLOSED_SHARE = 1 / 4;

/** @param isProxy reports whether an address has the connections of many clients */
export function createBusyConnections(isProxy: (address: string) => boolean): BusyConnections {
  /** Requests under way, by connection. */
  const requests = new Map<Connection, number>();
  const counts = createTally<string>();
  /** A connection that has ended has no address. */
  const addresses = new WeakMap<Connection, string>();

  function addressOf(connection: Connection): string {
    const known = addresses.get(connection);
    if (known !== undefined) return known;
    const address = limitKey(connection.remoteAddress ?? '');
    addresses.set(connection, address);
    return address;
  }

  function forget(connection: Connection): boolean {
    const wasBusy = requests.delete(connection);
    if (wasBusy) counts.add(addressOf(connection), -1);
    return wasBusy;
  }

  return {
    get count() {
      return requests.size;
    },
    has: (connection) => requests.has(connection),
    began(connection) {
      const before = requests.get(connection) ?? 0;
      requests.set(connection, before + 1);
      if (before === 0) counts.add(addressOf(connection), 1);
    },
    ended(connection) {
      const before = requests.get(connection) ?? 0;
      if (before <= 1) return forget(connection);
      requests.set(connection, before - 1);
      return false;
    },
    forget,
    excessFor(connection) {
      const heaviest = [...counts.keys()].find((address) => counts.of(address) > counts.total / 2);
      if (heaviest === undefined || heaviest === addressOf(connection)) return [];
      const own = [...requests.keys()].filter((each) => addressOf(each) === heaviest);
      if (isProxy(own[0]?.remoteAddress ?? '')) return [];
      return own.slice(0, Math.ceil(own.length * CLOSED_SHARE));
    },
  };
}
