import type { ServerResponse } from 'node:http';

/** Bodies up to this length are sent with the head, in one piece. */
const SHORT_BYTES = 262_144;

interface Sending {
  isHead: boolean;
  /** Whether the connection will be closed (RFC 9112 §9.6). */
  closes: boolean;
  /** Returns the response instead of one whose body cannot be read. */
  unsent(error: unknown): Response;
  /** Time after which a client that takes no bytes is disconnected. */
  stalledMs: number;
}

/** The content of a response before it is sent. */
type Content = { bytes: Uint8Array | null } | { first: Uint8Array | null; reader: Reader };
type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

/**
 * Sends the head and the body of a response, but for the bytes that it returns: they are sent with the end, so that one
 * call sends all of a short response.
 * @throws Error when the body fails after the head
 */
export async function sendBody(
  outgoing: ServerResponse,
  response: Response,
  { isHead, closes, unsent, stalledMs }: Sending,
): Promise<Uint8Array | null> {
  let sent = response;
  let content: Content;
  try {
    content = await open(response, isHead);
  } catch (error) {
    sent = unsent(error);
    content = await open(sent, isHead);
  }
  if ('reader' in content) {
    const { first, reader } = content;
    const cancel = () => void reader.cancel().catch(() => {});
    outgoing.once('close', cancel);
    // The client has left before the first bytes were there.
    if (outgoing.destroyed) cancel();
    outgoing.writeHead(sent.status, headOf(sent, { closes }));
    await pump(outgoing, { first, reader, stalledMs });
    return null;
  }
  const { bytes } = content;
  outgoing.writeHead(sent.status, headOf(sent, { closes, length: bytes?.length }));
  return bytes;
}

/** Reads the beginning of a body: a file may not open. */
async function open(response: Response, isHead: boolean): Promise<Content> {
  const { status, headers } = response;
  if (status === 204 || status === 304) return { bytes: null };
  if (isHead && response.body) {
    void response.body.cancel();
    return { bytes: null };
  }
  const length = headers.get('Content-Length');
  const isEndless = length === null && headers.get('Content-Type')?.startsWith('text/event-stream');
  // Responses without a length are short: documents, problems and redirects.
  if (!isEndless && Number(length) <= SHORT_BYTES) return { bytes: await response.bytes() };
  const reader = response.body?.getReader();
  if (!reader) return { bytes: null };
  const { value } = isEndless ? {} : await reader.read();
  return { first: value ?? null, reader };
}

/** Returns names and values of the header fields, in turns. @param length of a body that is known completely */
function headOf({ headers }: Response, { closes, length }: { closes: boolean; length?: number }): string[] {
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  if (length !== undefined && !headers.has('Content-Length')) fields.push('Content-Length', String(length));
  // Only `Bun.serve` adds the type of a response that was made of a text (Fetch standard, “extract a body”).
  if (length && !headers.has('Content-Type')) fields.push('Content-Type', 'text/plain;charset=utf-8');
  if (closes) fields.push('Connection', 'close');
  return fields;
}

async function pump(
  outgoing: ServerResponse,
  { first, reader, stalledMs }: { first: Uint8Array | null; reader: Reader; stalledMs: number },
): Promise<void> {
  // Without a head, a response that fails later would look like a complete empty one.
  outgoing.flushHeaders();
  for (let value = first ?? (await reader.read()).value; value; ) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(value)) await writable(outgoing, stalledMs);
    ({ value } = await reader.read());
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
