import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface ExactLengthParts {
  /** @param peer the socket's address */
  answer(request: Request, peer: string | null): Response | Promise<Response>;
  /** Told of a stream that broke off, after its connection was cut. */
  failed(error: unknown): void;
}

/**
 * Serves `answer` through `node:http`, with the `Content-Length` that a streamed answer says.
 * When a stream breaks off, so does the connection: the client sees fewer bytes than it was told, never an end that looks right.
 */
export function exactLengthListener({ answer, failed }: ExactLengthParts): RequestListener {
  return (incoming, outgoing) => {
    respond(incoming, outgoing, answer).catch((error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
      failed(error);
    });
  };
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, answer: ExactLengthParts['answer']): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const response = await answer(requestOf(incoming, left.signal), incoming.socket.remoteAddress ?? null);
  discardRest(incoming);
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (response.body === null) outgoing.end();
  // Whatever has no length of its own is short: a problem, a redirect.
  else if (response.headers.has('Content-Length')) await pump(response.body, outgoing);
  else outgoing.end(await response.bytes());
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  const host = headers.get('Host') ?? 'localhost';
  const base = URL.parse(`http://${host}`) ?? new URL('http://localhost');
  const { method } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD' && (headers.has('Transfer-Encoding') || Number(headers.get('Content-Length')) > 0);
  return new Request(new URL(incoming.url ?? '/', base).href, { method, headers, signal, body: hasBody ? bodyOf(incoming) : null });
}

/** The bytes as they come, no faster than they are read. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let ended = false;
  return new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
        if (ended) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once('end', () => {
        if (!ended) controller.close();
        ended = true;
      });
      const breakOff = () => {
        if (!ended) controller.error(new DOMException('The client went away before the end of its request.', 'AbortError'));
        ended = true;
      };
      incoming.once('error', breakOff);
      incoming.once('close', breakOff);
    },
    pull: () => void incoming.resume(),
    cancel() {
      ended = true;
      incoming.resume();
    },
  });
}

/** A client that is still sending gets so long, and so much, to read the answer. */
const DISCARDED_MS = 5_000;
const DISCARDED_BYTES = 16_777_216;

/** Reads what is left of a body and drops it. The connection of a client that goes on sending is cut. */
function discardRest(incoming: IncomingMessage): void {
  incoming.removeAllListeners('data');
  incoming.resume();
  if (incoming.readableEnded) return;
  let left = DISCARDED_BYTES;
  const cut = () => incoming.socket.destroy();
  const timer = setTimeout(cut, DISCARDED_MS);
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) cut();
  });
  for (const event of ['end', 'close', 'error']) incoming.once(event, () => clearTimeout(timer));
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  // Before anything can fail: an answer that is cut off without a head reaches the client as an empty one that looks right.
  outgoing.flushHeaders();
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (!outgoing.write(value)) await writable(outgoing);
  }
  outgoing.end();
}

/** Waits until the client has taken what was written, or has gone. */
function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle);
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle);
    outgoing.once('close', settle);
  });
}
