/**
 * The connections accepted in this turn of the event loop. Bun accepts connections until none waits, and hands on what
 * each client sent with it at once. Clients that open a connection for each request would return with the next one
 * before that ends, so that open connections are not served for as long as they do: their requests are answered in the
 * next turn.
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
