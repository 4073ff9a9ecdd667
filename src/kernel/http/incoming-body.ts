import type { IncomingMessage } from 'node:http';
import type { BodyTurns } from './body-turns.ts';
import { type Discarded, SHORT_REST } from './discard.ts';

/** The body of a request to `node:http`. */
export interface IncomingBody {
  /** Read no faster than its consumer. Null = the request has no body. */
  stream: ReadableStream<Uint8Array> | null;
  /** Discards the rest that the handler did not read. Call once, when the response is ready. */
  discardRest(limits: Discarded): {
    /** Whether the rest is too long to wait for: the connection will be closed after the response. */
    isLong: boolean;
    /** Whether the body ended before the client disconnected or the time was over. */
    ended: Promise<boolean>;
  };
}

const NO_BODY: IncomingBody = {
  stream: null,
  discardRest: () => ({ isLong: false, ended: Promise.resolve(true) }),
};

/** @param headers those of `incoming` */
export function incomingBody(incoming: IncomingMessage, headers: Headers, turns: BodyTurns): IncomingBody {
  const length = headers.has('Transfer-Encoding') ? Infinity : Number(headers.get('Content-Length') ?? 0);
  if (length === 0 || incoming.method === 'GET' || incoming.method === 'HEAD') return NO_BODY;

  let received = 0;
  let take = (_chunk: Buffer<ArrayBuffer>): void => {};
  incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
    received += chunk.byteLength;
    turns.arrived();
    take(chunk);
  });
  const ended = Promise.withResolvers<boolean>();
  let isOver = false;
  const end = (isWhole: boolean) => {
    isOver = true;
    ended.resolve(isWhole);
  };
  incoming.once('end', () => end(true));
  for (const event of ['error', 'close']) incoming.once(event, () => end(false));

  return {
    stream: streamOf(incoming, ended.promise, {
      turns,
      setSink(sink) {
        take = sink;
      },
    }),
    discardRest({ ms, bytes }) {
      if (isOver) return { isLong: false, ended: ended.promise };
      const last = received + bytes;
      // A client that cannot send any more looks for the response.
      take = () => {
        if (received > last) incoming.pause();
      };
      incoming.resume();
      const timer = setTimeout(end, ms, false);
      void ended.promise.then(() => clearTimeout(timer));
      return { isLong: length - received > SHORT_REST, ended: ended.promise };
    },
  };
}

interface BodySource {
  turns: BodyTurns;
  /** Sets what receives the chunks of the body. */
  setSink(sink: (chunk: Buffer<ArrayBuffer>) => void): void;
}

/** @param ended resolves to whether the body has arrived completely */
function streamOf(
  incoming: IncomingMessage,
  ended: Promise<boolean>,
  { turns, setSink }: BodySource,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream({
    start(controller) {
      setSink((chunk) => {
        if (!isOpen) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      void ended.then((isWhole) => {
        if (!isOpen) return;
        isOpen = false;
        if (isWhole) controller.close();
        else controller.error(new DOMException('The request ended before its body.', 'AbortError'));
      });
    },
    async pull() {
      await turns.next();
      incoming.resume();
    },
    cancel() {
      isOpen = false;
      incoming.resume();
    },
  });
}
