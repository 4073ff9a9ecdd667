/**
 * The connections accepted in this turn of the event loop. Bun accepts connections until none is waiting, and handles
 * the request that arrived with each immediately. Clients that open a connection for each request would return with the
 * next one before that ends, and starve open connections. Requests on new connections are therefore handled in the next
 * turn.
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
