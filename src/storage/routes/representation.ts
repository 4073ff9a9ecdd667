import type { ByteRange, Content } from '../../kernel/content.ts';
import { whenReady } from '../../kernel/event-loop/when-ready.ts';
import {
  evaluatePreconditions,
  rangeApplies,
  type Validators,
} from '../../kernel/http/content/conditional.ts';
import { ContentResponse } from '../../kernel/http/content/content-response.ts';
import type { PlainHeaders } from '../../kernel/http/content/plain-fields.ts';
import { HttpProblem } from '../../kernel/http/problems/problems.ts';
import { contentRange, parseRange } from './ranges.ts';

const NO_BYTES = new Uint8Array();

/** Bytes in response to a GET or HEAD (RFC 9110 §8). */
export interface Representation extends Validators {
  length: number;
  /** Header fields of a 304. */
  headers: Record<string, string>;
  /** Header fields of a 200 or 206. */
  contentHeaders: PlainHeaders;
}

/**
 * Responds to a GET or HEAD: preconditions (RFC 9110 §13), one range (§14), then the bytes.
 * @param open returns the bytes of a range, or all of them for null, or a URL from which the client gets them by the
 *   same request; called for GET only
 * @throws Problem 412 `precondition_failed`, 416 `range_not_satisfiable`; the errors of `open`
 */
export function sendRepresentation(
  request: Request,
  representation: Representation,
  open: (range: ByteRange | null) => Promise<Content | URL> | Content | URL,
): Promise<Response> | Response {
  const precondition = evaluatePreconditions(request.headers, representation);
  if (precondition === 'not_modified')
    return new Response(null, { status: 304, headers: representation.headers });
  if (precondition === 'failed')
    throw new HttpProblem('precondition_failed', 'The resource does not match the condition.', {
      headers: { ETag: representation.etag },
    });
  // RFC 9110 §14.2: a range is defined for GET only.
  const isGet = request.method !== 'HEAD';
  const rangeHeader = isGet ? request.headers.get('Range') : null;
  const range =
    rangeHeader !== null && rangeApplies(request.headers, representation)
      ? parseRange(rangeHeader, representation.length)
      : 'whole';
  if (range === 'unsatisfiable')
    throw new HttpProblem('range_not_satisfiable', `The resource has ${representation.length} bytes.`, {
      headers: { 'Content-Range': `bytes */${representation.length}`, 'Accept-Ranges': 'bytes' },
    });
  const isWhole = range === 'whole';
  return whenReady(isGet ? open(isWhole ? null : range) : null, (content) => {
    if (content instanceof URL) return redirectTo(content, representation.headers);
    const { length, contentHeaders } = representation;
    const head = { status: isWhole ? 200 : 206, headers: contentHeaders };
    const response = new ContentResponse(content ?? NO_BYTES, head);
    response.fields.set('content-length', String(isWhole ? length : range.end - range.start));
    if (!isWhole) response.fields.set('content-range', contentRange(range, length));
    return response;
  });
}

/** Caches must not store the response: the next request may be refused, and the URL expires. */
function redirectTo(url: URL, { ETag: _, ...headers }: Record<string, string>): Response {
  return new Response(null, {
    status: 302,
    headers: { ...headers, 'Cache-Control': 'no-store', Location: url.href },
  });
}
