import { isPage, noteText } from './compression.ts';
import type { Ctx } from './context.ts';

/**
 * Copies the length and the type of the response to a GET to the response to a HEAD (RFC 9110 §8.6). Handlers of large
 * bodies set the length themselves.
 */
export function withLength(c: Ctx, response: Response): Response | Promise<Response> {
  const isMissing = c.req.method === 'HEAD' && response.body && !response.headers.has('Content-Length');
  return isMissing ? measured(c, response) : response;
}

async function measured(c: Ctx, response: Response): Promise<Response> {
  const { headers } = response;
  // Bun adds the type of a text to responses with a body only.
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'text/plain;charset=utf-8');
  const bytes = await response.clone().bytes();
  headers.set('Content-Length', String(bytes.length));
  if (isPage(headers)) noteText(c, new TextDecoder().decode(bytes));
  return response;
}
