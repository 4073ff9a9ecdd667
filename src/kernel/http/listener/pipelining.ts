/** Maximum number of requests of one connection that are handled in a turn of the event loop. */
const AT_ONCE = 16;

/**
 * Creates a limit on pipelined requests (RFC 9112 §9.3.2). While a connection sends, Bun reads it and handles each of
 * its requests before it serves other connections, so a client that does not wait for responses would delay all others
 * for as long as it sends.
 * @returns a function that reports whether a request is beyond the limit. Its connection must then be closed, which
 *   discards the requests behind it; clients repeat them on another connection
 */
export function createPipelineLimit(): (connectionOf: () => unknown) => boolean {
  let requests = 0;
  const byConnection = new Map<unknown, number>();
  function begin(): void {
    requests = 0;
    byConnection.clear();
  }
  return (connectionOf) => {
    if (requests++ === 0) setImmediate(begin);
    if (requests <= AT_ONCE) return false;
    const connection = connectionOf();
    const count = (byConnection.get(connection) ?? 0) + 1;
    byConnection.set(connection, count);
    return count > AT_ONCE;
  };
}
