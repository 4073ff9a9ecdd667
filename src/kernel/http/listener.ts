import { createServer } from 'node:http';
import type { ShortRequests } from '../short-requests.ts';
import type { Peer } from './app.ts';
import { createBodyTurns } from './body-turns.ts';
import { DISCARDED, type Discarded, discardRest } from './discard.ts';
import { exactLengthListener } from './exact-length.ts';
import { createPipelineLimit } from './pipelining.ts';

interface ListenerDeps {
  hostname: string;
  /** 0 = any free port. */
  port: number;
  /** Whether other processes of the same user may listen on the port too. */
  shared?: boolean;
  /** Seconds after which a connection without traffic is closed. */
  idleTimeout: number;
  /**
   * Path patterns (`/export/:id`) with streamed responses of known length, or with large request bodies. Under
   * these, no file is sent by sendfile.
   */
  streamedPaths: readonly string[];
  answer(request: Request, peer: Peer): Response | Promise<Response>;
  /** Record of the requests without an upload; uploads leave them time. */
  shortRequests: ShortRequests;
  /** Limits on reading the rest of a request after its response. */
  discarded?: Discarded;
  /** Time after which a client that takes no bytes of such a stream is disconnected. */
  stalledMs?: number;
  /** Called when a stream under one of `streamedPaths` fails. */
  failed(error: unknown): void;
  /** Returns the answer instead of one whose file cannot be opened. */
  unsent(error: unknown): Response;
}

/** An open port. */
export interface Listener {
  port: number;
  /** Accepts no further requests and waits for the running ones. @param cut closes their connections instead */
  stop(cut?: boolean): Promise<void>;
}

const IDLE_CHECK_MS = 50;
/** Long, since a person may pause a download. */
const STALLED_MS = 120_000;

/**
 * Listens with `Bun.serve`, which sends files by sendfile but removes the `Content-Length` of every streamed
 * response and sends it in chunks (https://github.com/oven-sh/bun/issues/10507). Bun's `node:http` keeps that
 * header and is built on the same `Bun.serve`, so `node:http` opens the port, and all paths but `streamedPaths` are
 * routed past it. Only `node:http` answers `Expect: 100-continue` (RFC 9110 §10.1.1), which clients send before
 * large bodies: without an answer, some send nothing and others wait a second.
 */
export function listen({
  hostname,
  port,
  shared = false,
  idleTimeout,
  streamedPaths,
  answer,
  shortRequests,
  discarded = DISCARDED,
  stalledMs = STALLED_MS,
  failed,
  unsent,
}: ListenerDeps): Listener {
  const turns = createBodyTurns({ shortRequests });
  const exact = createServer(
    exactLengthListener({ answer, discarded, shortRequests, turns, stalledMs, failed }),
  );
  // Reading has no time limit, as on the other paths; `idleTimeout` closes an idle connection.
  exact.requestTimeout = 0;
  exact.keepAliveTimeout = idleTimeout * 1000;
  let opened: Bun.Server<undefined> | undefined;
  let refused: unknown;
  // A failure to open is thrown below; without a listener, this event would end the process.
  exact.once('error', () => {});
  const isOneTooMany = createPipelineLimit();
  const serve = Bun.serve;
  const open = (options: Bun.Serve.Options<undefined>) => {
    const all = {
      ...options,
      hostname,
      port,
      reusePort: shared,
      idleTimeout,
      // Routes enforce the limits, since they can report a problem.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // Otherwise, Bun answers with a page that names the file.
      error: unsent,
      routes: {
        '/*': (request: Request, server: Bun.Server<undefined>) => {
          shortRequests.record();
          const whole = withWholeUrl(request);
          const response = answer(whole, () => server.requestIP(request)?.address ?? null);
          const isGet = whole.method === 'GET' || whole.method === 'HEAD';
          const closes = asksToClose(whole) || isOneTooMany(() => connectionOf(server.requestIP(request)));
          return isGet && !closes ? response : afterBody(whole, response, { closes, discarded });
        },
        // False: not routed by this table, but by the handler of `node:http`.
        ...Object.fromEntries(streamedPaths.map((path) => [path, false])),
      },
    };
    try {
      opened = serve(all as unknown as Bun.Serve.Options<undefined>);
    } catch (error) {
      refused = error;
      throw error;
    }
    return opened;
  };
  Bun.serve = open as typeof Bun.serve;
  try {
    exact.listen(port);
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
      exact.close();
    },
  };
}

/**
 * Delays a refusal until the body has arrived: `Bun.serve` closes a connection at the end of the response
 * when the client requested that, and the client would not receive it.
 */
async function afterBody(
  request: Request,
  answered: Response | Promise<Response>,
  { closes, discarded }: { closes: boolean; discarded: Discarded },
): Promise<Response> {
  const response = await answered;
  const isReusable = response.status < 400 || (await bodyEnds(request, discarded));
  // RFC 9112 §9.6
  if (!isReusable || closes) response.headers.set('Connection', 'close');
  return response;
}

async function bodyEnds({ body, headers }: Request, limits: Discarded): Promise<boolean> {
  if (body === null || body.locked) return true;
  // A client that expects an answer first has sent no body (RFC 9110 §10.1.1).
  return !headers.has('Expect') && (await discardRest(body, limits));
}

function connectionOf(peer: Bun.SocketAddress | null): string {
  return peer ? `${peer.address} ${peer.port}` : '';
}

function asksToClose({ headers }: Request): boolean {
  return headers.get('Connection')?.toLowerCase() === 'close';
}

/** Replaces a missing `Host` (allowed in HTTP/1.0) or an invalid one, so that the URL is complete. */
function withWholeUrl(request: Request): Request {
  if (!request.url.startsWith('/')) return request;
  return new Request(`http://localhost${request.url}`, request);
}

/** Returns the error of a server that cannot listen, with a sentence for the operator. */
export function cannotListen(hostname: string, port: number, cause: unknown): Error {
  const code = (cause as { code?: unknown }).code;
  const reason =
    code === 'EADDRINUSE'
      ? `Port ${port} on ${hostname} is in use by another program: choose another with --port.`
      : code === 'EACCES'
        ? `Port ${port} may only be opened by root: choose one above 1023 with --port.`
        : `Cannot listen on port ${port} of HOST ${hostname}`;
  return new Error(reason, code === 'EADDRINUSE' || code === 'EACCES' ? {} : { cause });
}
