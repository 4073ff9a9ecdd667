import type { ServerResponse } from 'node:http';
import { bytesIn, type Content } from '../../content.ts';
import { nextRound } from '../../event-loop/next-round.ts';
import { ContentResponse, fieldsOf } from '../content/content-response.ts';
import type { SendMemory } from './send-memory.ts';
import type { SendTurns } from './send-turns.ts';

/** Bodies up to this length are sent with the head, in one piece. */
const SHORT_BYTES = 262_144;

/** Limits of the responses that are being sent, over all connections. */
export interface SendPace {
  /** Time after which a client that reads no bytes is disconnected, ms. */
  stalledMs: number;
  turns: SendTurns;
  memory: SendMemory;
}

interface Sending {
  isHead: boolean;
  /** Whether the connection will be closed (RFC 9112 §9.6). */
  closes: boolean;
  /** Returns the response that replaces one whose body cannot be read. */
  unsent(error: unknown): Response;
  pace: SendPace;
}

/** The body of a response before it is sent: all of its bytes, or chunks. */
type Body = Whole | Chunks;

/** Null = there is no body. */
type Whole = Uint8Array | null;

interface Chunks {
  /** Undefined = the head is sent immediately, before there are any bytes. */
  first?: Uint8Array | undefined;
  /** Resolves to undefined at the end. The previous chunk must not be used afterwards. */
  next(): Promise<Uint8Array | undefined>;
  cancel(): Promise<unknown>;
}

/**
 * Sends the head and the body of a response, except for the bytes that it returns: the caller sends them with the end,
 * so that one call sends all of a short response. Returns a promise only when the bytes are not in memory.
 * @throws Error when the body fails after the head
 */
export function sendBody(
  outgoing: ServerResponse,
  response: Response,
  sending: Sending,
): Promise<Uint8Array | null> | Uint8Array | null {
  const body = open(response, sending.isHead);
  if (body instanceof Promise) return sendOpened(outgoing, response, body, sending);
  sendHead(outgoing, response, body, sending);
  return body;
}

async function sendOpened(
  outgoing: ServerResponse,
  response: Response,
  opening: Promise<Body>,
  sending: Sending,
): Promise<Uint8Array | null> {
  let sent = response;
  let body: Body;
  try {
    body = await opening;
  } catch (error) {
    sent = sending.unsent(error);
    body = await open(sent, sending.isHead);
  }
  if (body === null || body instanceof Uint8Array) {
    sendHead(outgoing, sent, body, sending);
    return body;
  }
  const chunks = body;
  const cancel = () => void chunks.cancel().catch(() => {});
  outgoing.once('close', cancel);
  // The client left before the first bytes were available.
  if (outgoing.destroyed) cancel();
  sendHead(outgoing, sent, null, sending);
  await pump(outgoing, chunks, sending.pace);
  return null;
}

/** @param bytes the body, if it is known completely */
function sendHead(
  outgoing: ServerResponse,
  response: Response,
  bytes: Uint8Array | null,
  { closes }: Sending,
): void {
  outgoing.writeHead(response.status, headOf(response, { closes, length: bytes?.length }));
}

/** Reads the beginning of a body, which fails when its file cannot be opened. */
function open(response: Response, isHead: boolean): Promise<Body> | Whole {
  const { status } = response;
  if (status === 204 || status === 304 || (isHead && discard(response))) return null;
  const fields = fieldsOf(response);
  const length = fields.get('content-length');
  const isEndless = length === null && fields.get('content-type')?.startsWith('text/event-stream');
  // Responses without a length are short: documents, problems and redirects.
  const isShort = !isEndless && Number(length) <= SHORT_BYTES;
  return isShort ? shortContent(response) : openLong(contentOf(response), isEndless === true);
}

async function openLong(content: Content | null, isEndless: boolean): Promise<Body> {
  if (content === null || content instanceof Uint8Array) return content;
  const chunks = chunksOf(content);
  return isEndless ? chunks : { ...chunks, first: await chunks.next() };
}

function contentOf(response: Response): Content | null {
  return response instanceof ContentResponse ? response.content : response.body;
}

function shortContent(response: Response): Promise<Uint8Array> | Uint8Array {
  if (!(response instanceof ContentResponse)) return settled(response.bytes());
  const { content } = response;
  return content instanceof Uint8Array ? content : bytesIn(content);
}

/** Returns the bytes of a fulfilled promise, and other promises unchanged. */
function settled(bytes: Promise<Uint8Array>): Promise<Uint8Array> | Uint8Array {
  const known = Bun.peek(bytes);
  return known instanceof Uint8Array ? known : bytes;
}

/** Cancels the body of a response. Returns false when it has none: its length is 0 then. */
function discard(response: Response): boolean {
  const content = contentOf(response);
  if (content && !(content instanceof Uint8Array)) void chunksOf(content).cancel();
  return content !== null;
}

function chunksOf(content: AsyncIterable<Uint8Array>): Chunks {
  if (content instanceof ReadableStream) {
    // The iterator of a stream cannot be ended while it waits for a chunk.
    const reader = content.getReader();
    return { next: async () => (await reader.read()).value, cancel: () => reader.cancel() };
  }
  const iterator = content[Symbol.asyncIterator]();
  return { next: async () => (await iterator.next()).value, cancel: async () => iterator.return?.() };
}

/** Returns header fields; names in lower case. @param length of a body that is known completely */
function headOf(
  response: Response,
  { closes, length }: { closes: boolean; length?: number },
): Record<string, string | string[]> {
  const fields = fieldsOf(response).toJSON();
  if (length !== undefined) fields['content-length'] ??= String(length);
  // Only `Bun.serve` adds the type of a response that was made of a text (Fetch standard, “extract a body”).
  if (length) fields['content-type'] ??= 'text/plain;charset=utf-8';
  if (closes) fields.connection = 'close';
  return fields;
}

async function pump(
  outgoing: ServerResponse,
  chunks: Chunks,
  { stalledMs, turns, memory }: SendPace,
): Promise<void> {
  // Without a head, a response that fails later would look like a complete empty one.
  if (!chunks.first) outgoing.flushHeaders();
  let isBegun = false;
  for (let chunk = chunks.first ?? (await chunks.next()); chunk; chunk = await chunks.next()) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) {
      memory.written(outgoing);
      await writable(outgoing, stalledMs);
    }
    // Bun sends the bytes written in the turn in which a request arrived only at the end of that turn.
    if (!isBegun) await nextRound();
    isBegun = true;
    await turns.next(chunk.length);
  }
}

/** Waits until the socket accepts more bytes or is closed. Closes it when the client reads nothing. */
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
