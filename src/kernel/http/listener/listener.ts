import { createServer } from 'node:http';
import { codeOf } from '../../errors/code-of.ts';
import type { ShortRequests } from '../../event-loop/short-requests.ts';
import type { Http } from '../app.ts';
import { createBodyPace } from './body-pace.ts';
import { createBodyTurns } from './body-turns.ts';
import { createConnections } from './connections.ts';
import { DISCARD_LIMITS, type DiscardLimits } from './discard.ts';
import { createNewConnections } from './new-connections.ts';
import { requestListener } from './request-listener.ts';
import { createSendMemory } from './send-memory.ts';
import { createSendTurns } from './send-turns.ts';
import { createWorkingConnections } from './working-connections.ts';

interface ListenerDeps extends Pick<Http, 'answer' | 'unsent' | 'excess'> {
  hostname: string;
  /** 0 = any free port. */
  port: number;
  /** Whether other processes of the same user may listen on the port too. */
  shared?: boolean;
  /** Seconds after which a connection without traffic is closed. */
  idleTimeout: number;
  /** Record of the requests that are not uploads; uploads leave time for them. */
  shortRequests: ShortRequests;
  /** Limits on reading the rest of a request after its response. */
  discardLimits?: DiscardLimits;
  /** Time between two checks of whether clients send their bodies too slowly, ms. */
  paceMs?: number;
  /** Time after which a client that reads no bytes of a response is disconnected, ms. */
  stalledMs?: number;
  /** Maximum size of the whole responses that clients have not yet read, bytes. */
  sendMemoryBytes?: number;
  /** Reports whether an address has the connections of many clients. */
  isProxy?(address: string): boolean;
  /** Called when a streamed response fails. */
  failed(error: unknown): void;
}

/** An open port. */
export interface Listener {
  port: number;
  /** Stops accepting requests and waits for the running ones. @param cut true = closes their connections instead */
  stop(cut?: boolean): Promise<void>;
}

/** RFC 9110 §9.3.6: this server is not a proxy. */
const CONNECT_REFUSED =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n' +
  'Connection: close\r\nContent-Length: 0\r\n\r\n';
const IDLE_CHECK_MS = 50;
/** Long, since a person may pause a download. */
const STALLED_MS = 120_000;

/**
 * Listens with `node:http`, which sends responses to requests of a connection in order (RFC 9112 §9.3.2),
 * keeps the `Content-Length` of a streamed response, and responds to `Expect: 100-continue` (RFC 9110
 * §10.1.1). `Bun.serve` removes that length (https://github.com/oven-sh/bun/issues/10507). Routes of
 * `Bun.serve` on a port of `node:http` would be faster, but such a port passes a request to its handler
 * before the response to an earlier one is complete, and the handler of `Bun.serve` then writes to freed
 * memory when the client disconnects.
 */
export function listen(deps: ListenerDeps): Listener {
  const { hostname, port, shared = false, idleTimeout, shortRequests } = deps;
  const { discardLimits = DISCARD_LIMITS, stalledMs = STALLED_MS } = deps;
  const bodyLimits = { turns: createBodyTurns({ shortRequests }), watchPace: createBodyPace(deps.paceMs) };
  const memory = createSendMemory(deps.sendMemoryBytes);
  const pace = { stalledMs, turns: createSendTurns(), memory };
  const connections = createConnections(deps);
  const newConnections = createNewConnections();
  let opened: Bun.Server<undefined> | undefined;
  const working = createWorkingConnections({ server: () => opened, idleTimeout });
  const limits = { discardLimits, bodyLimits, pace, connections, newConnections, working };
  const serveRequest = requestListener({ ...deps, ...limits });
  // Requests without a body need no stream.
  const http = createServer({ optimizeEmptyRequests: true }, serveRequest);
  // Without a listener, Bun responds with 417 and reads the body without limits. RFC 9110 §10.1.1 permits
  // ignoring an expectation.
  http.on('checkExpectation', serveRequest);
  http.on('connection', connections.opened);
  http.on('connection', newConnections.opened);
  // Without a listener, the connection would be closed without a response.
  http.on('connect', (_, socket) => void socket.end(CONNECT_REFUSED));
  // Reading has no time limit; `idleTimeout` closes an idle connection.
  http.requestTimeout = 0;
  http.keepAliveTimeout = idleTimeout * 1000;
  // Clients and proxies may end their side of a connection after the last request (RFC 9293 §3.6). A client that has
  // left, which looks the same, is detected when bytes are sent to it. The types lack this property.
  Object.assign(http, { httpAllowHalfOpen: true });
  let refused: unknown;
  // A failure to open is thrown below; without a listener, this event would end the process.
  http.once('error', () => {});
  const serve = Bun.serve;
  const open = (options: Bun.Serve.Options<undefined>) => {
    // Routes enforce the limits of bodies, since they can report a problem.
    const own = {
      hostname,
      port,
      reusePort: shared,
      idleTimeout,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    };
    try {
      opened = serve({ ...options, ...own } as unknown as Bun.Serve.Options<undefined>);
    } catch (error) {
      refused = error;
      throw error;
    }
    return opened;
  };
  // `node:http` has no setting for some of the options.
  Bun.serve = open as typeof Bun.serve;
  try {
    http.listen(port);
  } finally {
    Bun.serve = serve;
  }
  if (refused !== undefined) throw cannotListen(hostname, port, refused);
  const server = opened;
  if (server?.port === undefined) throw new Error('node:http does not open its port through Bun.serve');
  return {
    port: server.port,
    async stop(cut = false) {
      // Idle keep-alive connections are closed, not waited for.
      const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      await server.stop(cut).finally(() => clearInterval(closing));
      // Ends its timer.
      http.close();
    },
  };
}

/** Returns the error of a server that cannot listen, with a sentence for the operator. */
export function cannotListen(hostname: string, port: number, cause: unknown): Error {
  const reason = reasonOf(String(codeOf(cause)), hostname, port);
  return reason === null
    ? new Error(`Cannot listen on port ${port} of HOST ${hostname}`, { cause })
    : new Error(reason);
}

/** Returns null for a code without a remedy. */
function reasonOf(code: string, hostname: string, port: number): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${hostname} is in use by another program: choose another with --port.`;
    case 'EACCES':
      return `Port ${port} may only be opened by root: choose one above 1023 with --port.`;
    // Also for a name that does not resolve.
    case 'EINVAL':
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${hostname}: set HOST to one of its addresses, or to 0.0.0.0 for all.`;
    default:
      return null;
  }
}
