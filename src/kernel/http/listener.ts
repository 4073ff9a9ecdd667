import { createServer } from 'node:http';
import { exactLengthListener } from './exact-length.ts';

interface ListenerParts {
  hostname: string;
  /** 0 = any free one. */
  port: number;
  /** Seconds after which a connection without traffic is closed. */
  idleTimeout: number;
  /**
   * Path patterns (`/export/:id`) whose answers may be streams of a length that is known beforehand, or whose requests have
   * large bodies. Under these no file is handed to sendfile.
   */
  streamedPaths: readonly string[];
  /** @param peer the socket's address */
  answer(request: Request, peer: string | null): Response | Promise<Response>;
  /** Told of a stream that broke off under one of `streamedPaths`. */
  failed(error: unknown): void;
}

/** The open port. */
export interface Listener {
  port: number;
  /** Accepts nothing more and waits for what is under way, or cuts it. */
  stop(cut?: boolean): Promise<void>;
}

const IDLE_CHECK_MS = 50;

/**
 * Listens with `Bun.serve`, which gives files to sendfile but takes the `Content-Length` off every streamed answer and
 * sends it in chunks (https://github.com/oven-sh/bun/issues/10507). Its `node:http` keeps that header, and stands on the same
 * `Bun.serve`; so the port is opened by `node:http`, all paths are routed past it, and only those come back to it that
 * `streamedPaths` names. It alone then answers `Expect: 100-continue` (RFC 9110 §10.1.1), with which clients announce large
 * bodies: unanswered, some send nothing and others wait a second.
 */
export function listen({ hostname, port, idleTimeout, streamedPaths, answer, failed }: ListenerParts): Listener {
  const exact = createServer(exactLengthListener({ answer, failed }));
  // A reader may take as long as it likes, as with the other answers; a silent connection is closed by `idleTimeout`.
  exact.requestTimeout = 0;
  exact.keepAliveTimeout = idleTimeout * 1000;
  let opened: Bun.Server<undefined> | undefined;
  let refused: unknown;
  // What makes opening fail is thrown below; unheard, the event would end the process without a sentence.
  exact.once('error', () => {});
  const serve = Bun.serve;
  const open = (options: Bun.Serve.Options<undefined>) => {
    const all = {
      ...options,
      hostname,
      port,
      idleTimeout,
      // Limits are judged where the bytes are counted, by routes that can say why.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      routes: {
        '/*': (request: Request, server: Bun.Server<undefined>) =>
          answer(withWholeUrl(request), server.requestIP(request)?.address ?? null),
        // False: not by this table, so by what `node:http` has put beside it.
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
  if (server?.port === undefined) throw new Error('node:http no longer opens its port through Bun.serve');
  return {
    port: server.port,
    async stop(cut = false) {
      // A connection that is kept open without a request is not waited for, nor one whose last answer is out.
      const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      await server.stop(cut).finally(() => clearInterval(closing));
    },
  };
}

/** A request of HTTP/1.0 may come without a `Host`, and anybody may send one that is none: neither tells where the path leads. */
function withWholeUrl(request: Request): Request {
  if (URL.canParse(request.url)) return request;
  return new Request(`http://localhost${request.url.replace(/^https?:\/\/[^/]*/, '')}`, request);
}

function cannotListen(hostname: string, port: number, cause: unknown): Error {
  const code = (cause as { code?: unknown }).code;
  const reason =
    code === 'EADDRINUSE'
      ? `port ${port} on ${hostname} is in use by another program; choose another with --port`
      : code === 'EACCES'
        ? `port ${port} may only be opened by root; choose one above 1023 with --port`
        : `nothing can listen on ${hostname}, port ${port}`;
  return new Error(reason, code === 'EADDRINUSE' || code === 'EACCES' ? {} : { cause });
}
