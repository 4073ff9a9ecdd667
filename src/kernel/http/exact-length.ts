import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ShortRequests } from '../short-requests.ts';
import type { Peer } from './app.ts';
import type { BodyTurns } from './body-turns.ts';
import type { Discarded } from './discard.ts';
import { incomingBody } from './incoming-body.ts';
import { createPipelineLimit } from './pipelining.ts';

interface ExactLengthDeps {
  answer(request: Request, peer: Peer): Response | Promise<Response>;
  discarded: Discarded;
  shortRequests: Pick<ShortRequests, 'record'>;
  turns: BodyTurns;
  /** Time after which a client that takes no bytes is disconnected. */
  stalledMs: number;
  /** Called when a stream fails, after its connection was closed. */
  failed(error: unknown): void;
}

/**
 * Serves `answer` through `node:http`, which keeps the `Content-Length` of a streamed response. When a stream
 * fails, the connection is closed: the client receives fewer bytes than announced, never a response that looks
 * complete.
 */
export function exactLengthListener({ failed, ...deps }: ExactLengthDeps): RequestListener {
  const isOneTooMany = createPipelineLimit();
  return (incoming, outgoing) => {
    if (isOneTooMany(() => incoming.socket)) return void incoming.socket.destroy();
    respond(incoming, outgoing, deps).catch((error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
      failed(error);
    });
  };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { answer, discarded, shortRequests, turns, stalledMs }: Omit<ExactLengthDeps, 'failed'>,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const headers = headersOf(incoming);
  const body = incomingBody(incoming, headers, turns);
  if (body.stream) await turns.next();
  else shortRequests.record();
  const request = requestOf(incoming, { headers, signal: left.signal, body: body.stream });
  const { remoteAddress = null } = incoming.socket;
  const response = await answer(request, () => remoteAddress);
  const rest = body.discardRest(discarded);
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (rest.isLong) outgoing.setHeader('Connection', 'close');
  if (response.body !== null) await write(outgoing, response, response.body, stalledMs);
  // With `Connection: close`, `end` closes the connection: before the end of the request, the client would not
  // receive the response.
  const isReusable = await rest.ended;
  outgoing.end();
  if (!isReusable) incoming.socket.destroy();
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  return headers;
}

function requestOf(
  { method, url }: IncomingMessage,
  init: { headers: Headers; signal: AbortSignal; body: ReadableStream<Uint8Array> | null },
): Request {
  const host = init.headers.get('Host') ?? 'localhost';
  const base = URL.parse(`http://${host}`) ?? new URL('http://localhost');
  // `//` would begin the name of another host.
  const target = url?.startsWith('/') ? base.origin + url : new URL(url ?? '/', base).href;
  return new Request(target, { method, ...init });
}

async function write(
  outgoing: ServerResponse,
  response: Response,
  body: ReadableStream<Uint8Array>,
  stalledMs: number,
): Promise<void> {
  const isEndless = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (isEndless || response.headers.has('Content-Length')) return await pump(body, outgoing, stalledMs);
  // Responses without a length are short: problems and redirects.
  const bytes = await response.bytes();
  outgoing.setHeader('Content-Length', bytes.length);
  outgoing.write(bytes);
}

async function pump(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  stalledMs: number,
): Promise<void> {
  // First: without a head, a response that fails later would look like a complete empty one.
  outgoing.flushHeaders();
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await writable(outgoing, stalledMs);
  }
}

/** Waits until the socket accepts more bytes or is closed. Closes it when the client takes none. */
function writable(outgoing: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(), stalledMs);
    const settle = () => {
      clearTimeout(timer);
      outgoing.off('drain', settle);
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle);
    outgoing.once('close', settle);
  });
}
