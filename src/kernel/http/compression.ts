import { type Coding, chooseCoding, encode } from './coding.ts';
import { fieldsOf } from './content/content-response.ts';
import type { Fields } from './content/plain-fields.ts';
import type { Ctx, Exchange } from './context.ts';
import { HTML } from './pages/page.ts';
import { addVary } from './vary.ts';

/** Compressing a shorter response saves no packet. */
const LEAST_BYTES = 1_024;
/** Maximum number of responses that are compressed at once; further ones are sent uncompressed. */
const MAX_RUNNING = 32;

/** Records the text of a response for compression, and returns it. Of other responses, only pages are compressed. */
export function noteText(c: Ctx, text: string): string {
  if (isLong(text)) c.env.text = text;
  return text;
}

function isLong(text: string): boolean {
  // A UTF-16 code unit takes at most three bytes, so short texts need not be measured.
  return text.length * 3 >= LEAST_BYTES && Buffer.byteLength(text) >= LEAST_BYTES;
}

/** Compresses the recorded text or the page of a response as the client prefers; returns other responses unchanged. */
export type Compress = (
  request: Request,
  exchange: Exchange,
  response: Response,
) => Response | Promise<Response>;

export function createCompression(): Compress {
  let running = 0;

  async function compressed(
    { method, headers: asked }: Request,
    response: Response,
    text: string,
  ): Promise<Response> {
    const bytes = Buffer.from(text);
    const headers = new Headers(response.headers);
    addVary(headers, 'Accept-Encoding');
    const wanted = chooseCoding(asked.get('Accept-Encoding'));
    const coding = isProbeable(asked) || running >= MAX_RUNNING ? null : wanted;
    const body = coding === null ? bytes : await counted(bytes, coding);
    if (coding !== null) describeCoded(headers, coding);
    headers.set('Content-Length', String(body.length));
    const { status } = response;
    return new Response(method === 'HEAD' ? null : (body as Uint8Array<ArrayBuffer>), { status, headers });
  }

  async function counted(bytes: Uint8Array<ArrayBuffer>, coding: Coding): Promise<Uint8Array> {
    running++;
    try {
      return await encode(bytes, coding);
    } finally {
      running--;
    }
  }

  return (request, { text }, response) => {
    if (text !== undefined) return compressed(request, response, text);
    if (!isPage(fieldsOf(response)) || response.body === null) return response;
    return response
      .text()
      .then((page) => (isLong(page) ? compressed(request, response, page) : new Response(page, response)));
  };
}

/** Reports whether a response is a page of this server that is not compressed yet, rather than a file. */
export function isPage(headers: Pick<Fields, 'get' | 'has'>): boolean {
  return (
    headers.get('content-type') === HTML && !headers.has('content-encoding') && !headers.has('accept-ranges')
  );
}

/**
 * Reports whether a page of another site may have caused the request of a browser that is signed in: the length of
 * the compressed response would reveal to an observer of the network whether it contains a text that the page chose
 * for the request (the BREACH attack).
 */
function isProbeable(asked: Headers): boolean {
  const site = asked.get('Sec-Fetch-Site');
  return (site === 'cross-site' || site === 'same-site') && asked.has('Cookie');
}

/** Describes a body in a coding. A strong tag identifies exact bytes, so it becomes weak (RFC 9110 §8.8.3). */
export function describeCoded(headers: Headers, coding: Coding): void {
  headers.set('Content-Encoding', coding);
  const tag = headers.get('ETag');
  if (tag?.startsWith('"')) headers.set('ETag', `W/${tag}`);
}
