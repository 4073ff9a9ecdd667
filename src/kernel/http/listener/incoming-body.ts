import type { IncomingMessage } from 'node:http';
import { whenReady } from '../../event-loop/when-ready.ts';
import { type BodyFlow, createBodyFlow } from './body-flow.ts';
import type { createBodyPace } from './body-pace.ts';
import type { BodyTurns } from './body-turns.ts';
import { type DiscardLimits, SHORT_REST } from './discard.ts';

/** The body of a request to `node:http`. */
export interface IncomingBody {
  /** Whether the request has a body, even an ignored one, whose end must be awaited. */
  hasEnd: boolean;
  /** Read no faster than its consumer reads it. Null = the request has no body, or an ignored one. */
  stream: ReadableStream<Uint8Array> | null;
  /** Whether it takes turns with other bodies: it is long, or of unknown length. */
  isLong: boolean;
  /** Reports whether the request is complete. */
  hasArrived(): boolean;
  /** Discards the rest that the handler did not read. Call once, when the response is ready. */
  discardRest(limits: DiscardLimits): {
    /** Whether the rest is too long to wait for: the connection will be closed after the response. */
    isLong: boolean;
    /** Whether the body ended before the client disconnected or the time ran out. */
    ended: Promise<boolean>;
  };
}

/** Longest body that comes with its head, or soon after it. */
const SHORT_BODY = 16_384;

/** For short JSON bodies. Short bodies of other types can be files, which take long to store. */
const NO_TURNS: BodyTurns = { arrived: () => 0, ended() {}, next: () => undefined };

const isJson = (headers: Headers) => /^application\/json\s*(;|$)/i.test(headers.get('Content-Type') ?? '');

const NO_REST = { isLong: false, ended: Promise.resolve(true) };
const NO_BODY: IncomingBody = {
  hasEnd: false,
  stream: null,
  isLong: false,
  hasArrived: () => true,
  discardRest: () => NO_REST,
};

/** Limits of the bodies of all connections. */
export interface BodyLimits {
  turns: BodyTurns;
  watchPace: ReturnType<typeof createBodyPace>;
}

/** @param headers those of `incoming` */
export function incomingBody(incoming: IncomingMessage, headers: Headers, limits: BodyLimits): IncomingBody {
  const length = headers.has('Transfer-Encoding') ? Infinity : Number(headers.get('Content-Length') ?? 0);
  if (length === 0) return NO_BODY;

  // The body of a GET or HEAD has no meaning (RFC 9110 §9.3.1).
  const isIgnored = incoming.method === 'GET' || incoming.method === 'HEAD';
  const isShort = length <= SHORT_BODY;
  const turns = isShort && isJson(headers) ? NO_TURNS : limits.turns;
  const flow = createBodyFlow(incoming, turns);
  let received = 0;
  let take = (_chunk: Buffer<ArrayBuffer>): void => {};
  incoming.on('data', (chunk: Buffer<ArrayBuffer>) => {
    received += chunk.byteLength;
    flow.arrived(chunk.byteLength);
    take(chunk);
  });
  const ended = Promise.withResolvers<boolean>();
  let isDiscarded = isIgnored;
  let isOver = false;
  const end = (isWhole: boolean) => {
    isOver = true;
    ended.resolve(isWhole);
  };
  incoming.once('end', () => {
    if (!isDiscarded) turns.ended();
    end(true);
  });
  for (const event of ['error', 'close']) incoming.once(event, () => end(false));
  const tooSlow = () => end(false);
  void ended.promise.then(limits.watchPace({ received: () => received, isWanted: flow.isWanted, tooSlow }));

  const setSink = (sink: typeof take) => {
    take = sink;
  };
  const source = { flow, turns, setSink, isDiscarded: () => isDiscarded };
  return {
    isLong: !isIgnored && !isShort,
    hasEnd: true,
    hasArrived: () => isOver,
    stream: isIgnored ? null : streamOf(ended.promise, source),
    discardRest({ ms, bytes }) {
      if (isOver) return { isLong: false, ended: ended.promise };
      isDiscarded = true;
      const last = received + bytes;
      // When a client can send no more, it reads the response.
      take = () => {
        if (received > last) flow.pause();
      };
      flow.resume();
      const timer = setTimeout(end, ms, false);
      void ended.promise.then(() => clearTimeout(timer));
      return { isLong: length - received > SHORT_REST, ended: ended.promise };
    },
  };
}

/** Smaller chunks of a body are gathered into pieces of this size. */
const SMALL_BYTES = 1_024;
const PIECE_BYTES = 65_536;

interface BodySource {
  flow: BodyFlow;
  turns: BodyTurns;
  setSink(sink: (chunk: Buffer<ArrayBuffer>) => void): void;
  isDiscarded(): boolean;
}

/** @param ended resolves to whether the body has arrived completely */
function streamOf(
  ended: Promise<boolean>,
  { flow, turns, setSink, isDiscarded }: BodySource,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  return new ReadableStream({
    start(controller) {
      const pieces = inPieces((bytes) => {
        if (!isOpen || isDiscarded()) return;
        controller.enqueue(bytes);
        if ((controller.desiredSize ?? 0) <= 0) flow.pause();
      });
      setSink(pieces.add);
      void ended.then((isWhole) => {
        if (!isOpen) return;
        pieces.flush();
        isOpen = false;
        if (isWhole) controller.close();
        else controller.error(new DOMException('The request ended before its body.', 'AbortError'));
      });
    },
    pull: () => whenReady(turns.next(), () => flow.resume()),
    cancel() {
      isOpen = false;
      flow.resume();
    },
  });
}

/**
 * Passes on each large chunk alone, and small ones of the same turn of the event loop together: a client can send each
 * byte as a chunk (RFC 9112 §7.1), each of which would cost as much as one of 64 KB.
 */
function inPieces(pass: (bytes: Buffer<ArrayBuffer>) => void) {
  let gathered: Buffer<ArrayBuffer>[] = [];
  let size = 0;
  let isDue = false;

  function flush(): void {
    if (size === 0) return;
    const [first] = gathered;
    const bytes = gathered.length === 1 && first ? first : Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
    pass(bytes);
  }

  return {
    flush,
    add(chunk: Buffer<ArrayBuffer>): void {
      if (chunk.byteLength >= SMALL_BYTES) {
        flush();
        pass(chunk);
        return;
      }
      gathered.push(chunk);
      size += chunk.byteLength;
      if (size >= PIECE_BYTES) flush();
      if (isDue) return;
      isDue = true;
      setImmediate(() => {
        isDue = false;
        flush();
      });
    },
  };
}
