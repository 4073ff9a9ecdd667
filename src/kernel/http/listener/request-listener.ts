import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { MB } from '../../bytes.ts';
import { nextRound } from '../../event-loop/next-round.ts';
import type { ShortRequests } from '../../event-loop/short-requests.ts';
import { whenReady } from '../../event-loop/when-ready.ts';
import type { Http, Peer } from '../app.ts';
import type { Connections } from './connections.ts';
import type { DiscardLimits } from './discard.ts';
import { type BodyLimits, type IncomingBody, incomingBody } from './incoming-body.ts';
import type { NewConnections } from './new-connections.ts';
import { createPipelineLimit } from './pipelining.ts';
import { type SendPace, sendBody } from './send-body.ts';
import type { WorkingConnections } from './working-connections.ts';

export interface RequestListenerDeps extends Pick<Http, 'answer' | 'unsent' | 'excess'> {
  discardLimits: DiscardLimits;
  shortRequests: Pick<ShortRequests, 'record'>;
  bodyLimits: BodyLimits;
  pace: SendPace;
  connections: Pick<Connections, 'began' | 'ended'>;
  newConnections: Pick<NewConnections, 'has'>;
  working: WorkingConnections;
  /** Called when a stream fails, after its connection was closed. */
  failed(error: unknown): void;
}

/**
 * Serves `answer` through `node:http`. When a stream fails, the connection is closed: the client receives fewer bytes
 * than announced, never a response that looks complete.
 */
export function requestListener(deps: RequestListenerDeps): RequestListener {
  const exceedsPipeline = createPipelineLimit();
  const all = { ...deps, urlOf: createUrls() };
  const refusals = refusing(all);
  const { connections, newConnections, working } = deps;
  function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> | void {
    const { socket } = incoming;
    const isWithinLimit = connections.began(socket);
    outgoing.once('close', () => {
      connections.ended(socket);
      working.ended(outgoing);
    });
    return respond(incoming, outgoing, isWithinLimit ? all : refusals);
  }
  function failed(outgoing: ServerResponse, error: unknown): void {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
    deps.failed(error);
  }
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (exceedsPipeline(() => socket)) return void socket.destroy();
    try {
      const round = newConnections.has(socket) ? nextRound() : undefined;
      const served = whenReady(round, () => serve(incoming, outgoing));
      if (served) served.catch((error) => failed(outgoing, error));
    } catch (error) {
      failed(outgoing, error);
    }
  };
}

/**
 * Limits on reading the rest of a request that is refused because of its connection, which holds a
 * descriptor.
 */
const REFUSED_REST: DiscardLimits = { ms: 500, bytes: MB };

/** Returns the dependencies of a listener that refuses all requests and closes their connections. */
function refusing<Deps extends RequestListenerDeps>(deps: Deps): Deps {
  const answer = () => {
    const response = deps.excess();
    response.headers.set('Connection', 'close');
    return response;
  };
  return { ...deps, answer, discardLimits: REFUSED_REST };
}

type UrlOf = (incoming: IncomingMessage) => string;

/** The dependencies of one request. */
type RespondDeps = Omit<RequestListenerDeps, 'failed'> & { urlOf: UrlOf };

/** Responds immediately if neither the body nor the response must be awaited: a promise for each step takes longer. */
function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  deps: RespondDeps,
): Promise<void> | void {
  const { bodyLimits, shortRequests, working, unsent, pace, discardLimits } = deps;
  const request = requestOf(incoming, deps.urlOf);
  const { headers } = request;
  const body = incomingBody(incoming, headers, bodyLimits);
  if (!body.isLong) shortRequests.record();
  const answered = whenReady(body.isLong ? bodyLimits.turns.next() : undefined, () =>
    deps.answer(withBody(request, body), peerOf(incoming)),
  );
  if (answered instanceof Promise) working.began(outgoing, body.hasArrived);
  return whenReady(answered, (response) => {
    working.ended(outgoing);
    const rest = body.discardRest(discardLimits);
    const closes = rest.isLong || asksToClose(headers);
    const isHead = incoming.method === 'HEAD';
    return whenReady(sendBody(outgoing, response, { isHead, closes, unsent, pace }), (last) => {
      if (body.hasEnd) return endAfter(rest.ended, { incoming, outgoing, last, pace });
      outgoing.end(last);
      pace.memory.written(outgoing);
    });
  });
}

interface Last {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** The bytes that `sendBody` has left to send. */
  last: Uint8Array | null;
  pace: SendPace;
}

/** Sends the last bytes, and ends the response after the body of the request. */
async function endAfter(ended: Promise<boolean>, { incoming, outgoing, last, pace }: Last): Promise<void> {
  if (last && last.length > 0) outgoing.write(last);
  else outgoing.flushHeaders();
  pace.memory.written(outgoing);
  // With `Connection: close`, `end` closes the connection: before the end of the request, the client would not
  // receive the response.
  const isReusable = await ended;
  outgoing.end();
  if (!isReusable) incoming.socket.destroy();
}

const peerOf =
  ({ socket }: IncomingMessage): Peer =>
  () =>
    socket.remoteAddress ?? null;

/** Returns a request without its body. */
function requestOf(incoming: IncomingMessage, urlOf: UrlOf): Request {
  const { method = 'GET' } = incoming;
  const url = urlOf(incoming);
  // Reading options takes as long as all else here.
  const request = method === 'GET' ? new Request(url) : new Request(url, { method });
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2)
    request.headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  return request;
}

function withBody(request: Request, { stream }: IncomingBody): Request {
  return stream ? new Request(request, { body: stream }) : request;
}

/** RFC 9112 §9.6 */
function asksToClose(headers: Headers): boolean {
  return headers.get('Connection')?.toLowerCase() === 'close';
}

/**
 * Returns a function that returns the URL of a request, with `localhost` in place of a missing host (allowed in
 * HTTP/1.0) or an invalid one.
 */
function createUrls(): UrlOf {
  // Most requests are for the same host.
  let last = { host: '', origin: '' };
  return ({ url = '/', rawHeaders }) => {
    const host = hostOf(rawHeaders);
    if (host !== last.host || last.origin === '')
      last = { host, origin: URL.parse(`http://${host}`)?.origin ?? 'http://localhost' };
    // `//` would begin the name of another host.
    if (url.startsWith('/')) return last.origin + url;
    // A target that is not a URL (RFC 9112 §3.2.2) is treated as a path that does not exist.
    return URL.parse(url, last.origin)?.href ?? `${last.origin}/${encodeURIComponent(url)}`;
  };
}

/** Returns the value of `Host`; several are joined, as in `Headers`, and so are not valid. */
function hostOf(raw: readonly string[]): string {
  let host: string | undefined;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    host = host === undefined ? raw[index + 1] : `${host}, ${raw[index + 1]}`;
  }
  return host ?? '';
}
