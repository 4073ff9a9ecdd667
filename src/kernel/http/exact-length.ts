import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

interface ExactLengthDeps {
  /** @param peer the socket's address */
  answer(request: Request, peer: string | null): Response | Promise<Response>;
  /** Called when a stream fails, after its connection was closed. */
  failed(error: unknown): void;
}

/**
 * Serves `answer` through `node:http`, which keeps the `Content-Length` of a streamed response. When a stream
 * fails, the connection is closed: the client receives fewer bytes than announced, never a response that looks
 * complete.
 */
export function exactLengthListener({ answer, failed }: ExactLengthDeps): RequestListener {
  return (incoming, outgoing) => {
    respond(incoming, outgoing, answer).catch((error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
      failed(error);
    });
  };
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: ExactLengthDeps['answer'],
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const response = await answer(requestOf(incoming, left.signal), incoming.socket.remoteAddress ?? null);
  discardRest(incoming);
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  if (response.body === null) outgoing.end();
  // Responses without a length are short: problems and redirects.
  else if (response.headers.has('Content-Length')) await pump(response.body, outgoing);
  else outgoing.end(await response.bytes());
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  const raw = incoming.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  const host = headers.get('Host') ?? 'localhost';
  const base = URL.parse(`http://${host}`) ?? new URL('http://localhost');
  const { method } = incoming;
  const hasBody =
    method !== 'GET' &&
    method !== 'HEAD' &&
    (headers.has('Transfer-Encoding') || Number(headers.get('Content-Length')) > 0);
  return new Request(new URL(incoming.url ?? '/', base).href, {
    method,
    headers,
    signal,
    body: hasBody ? bodyOf(incoming) : null,
  });
}

/** Returns the body as a stream that is read no faster than its consumer. */
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
        if (!ended)
          controller.error(
            new DOMException('The client disconnected before the end of its request.', 'AbortError'),
          );
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

/** Limits for a client that is still sending after the response: it has this long, and this many bytes, to read it. */
const DISCARDED_MS = 5_000;
const DISCARDED_BYTES = 16_777_216;

/** Reads and discards the rest of a body. Closes the connection of a client that keeps sending. */
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
  // Before anything can fail: without a head, a failed response would look like a complete empty one.
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

/** Waits until the socket accepts more bytes or is closed. */
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
