/**
 * The connections accepted in this turn of the event loop. Bun accepts connections until none is waiting, and handles
 * at once the request that arrived with each. Clients that open a connection for each request would be back with the
 * next one before that ends, and open connections would not be served meanwhile. Requests on new connections are
 * therefore answered in the next turn.
 */
export interface NewConnections {
  opened(connection: object): void;
  has(connection: object): boolean;
}

export function createNewConnections(): NewConnections {
  const inTurn = new Set<object>();
  return {
    opened(connection) {
      if (inTurn.size === 0) setImmediate(() => inTurn.clear());
      inTurn.add(connection);
    },
    has: (connection) => inTurn.has(connection),
  };
}
