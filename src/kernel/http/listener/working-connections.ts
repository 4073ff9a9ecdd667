import type { ServerResponse } from 'node:http';

/** Number of extensions within an idle timeout. */
const EXTENSIONS = 3;

/** The part of a Bun server that this module uses. */
export interface TimeoutSetter {
  timeout(request: Request, seconds: number): void;
}

/** Keeps connections without traffic open while their client waits for a response that is being prepared. */
export interface WorkingConnections {
  /**
   * Records a request. From now on, its connection does not count as idle.
   * @param hasArrived reports whether the request is complete; until then, a client that sends nothing is idle
   */
  began(outgoing: ServerResponse, hasArrived: () => boolean): void;
  /** Records that the response is ready, or that the client has left. */
  ended(outgoing: ServerResponse): void;
}

interface WorkingConnectionsDeps {
  /** Returns undefined before the port is open. */
  server(): TimeoutSetter | undefined;
  /** Seconds after which a connection without traffic is closed. */
  idleTimeout: number;
}

/**
 * Bun counts idle time even while a handler works, and settings of `node:http` do not change that. The timeouts of all
 * connections are extended together and repeatedly: most responses are ready before the first extension, and data that
 * a client sends meanwhile would cancel a single one.
 */
export function createWorkingConnections({
  server,
  idleTimeout,
}: WorkingConnectionsDeps): WorkingConnections {
  const working = new Map<ServerResponse, () => boolean>();
  let timer: Timer | undefined;

  function extend(): void {
    for (const [outgoing, hasArrived] of working) {
      const handle = hasArrived() ? handleOf(outgoing) : undefined;
      if (handle) server()?.timeout(handle, idleTimeout);
    }
    if (working.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    began(outgoing, hasArrived) {
      working.set(outgoing, hasArrived);
      timer ??= setInterval(extend, (idleTimeout * 1000) / EXTENSIONS).unref();
    },
    ended: (outgoing) => void working.delete(outgoing),
  };
}

/** Returns the object of Bun in a response, which `Server.timeout` accepts like the request of a `fetch` handler. */
function handleOf(outgoing: ServerResponse): Request | undefined {
  const symbol = Object.getOwnPropertySymbols(outgoing).find(({ description }) => description === 'handle');
  return symbol && (outgoing as unknown as Record<symbol, Request | undefined>)[symbol];
}
