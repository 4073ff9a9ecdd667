import type { z } from '@hono/zod-openapi';
import { MB } from '../../bytes.ts';
import { SECOND } from '../../clock.ts';
import { inTime } from '../../event-loop/in-time.ts';
import { invalidField, invalidFields, Problem } from '../../problem.ts';
import type { Ctx } from '../context.ts';
import { HttpProblem } from '../problems/problems.ts';
import { jsonShape } from './json-shape.ts';
import { plainWords } from './plain-words.ts';

/** Maximum size of a JSON body in bytes. */
export const JSON_LIMIT = MB;
/** Maximum number of names in the objects of a JSON body: parsing takes up to a microsecond for each. */
export const MAX_NAMES = 20_000;
const DEEPEST = 100;
/** Time in which a body must arrive completely, so that single bytes do not keep a connection open. */
const ARRIVAL_MS = 60 * SECOND;
/** Size from which parsing and validating can take several milliseconds. */
const LARGE = MB / 16;

/**
 * Returns the parsed body, not validated.
 * @param names maximum number of names in its objects
 * @throws Problem 415 for another media type, 413 over `JSON_LIMIT`, 400
 */
export async function readJsonValue(c: Ctx, names = MAX_NAMES): Promise<unknown> {
  requireMediaType(c, ['application/json']);
  return await parseInTurn(c, await readBytes(c, JSON_LIMIT), names);
}

/** As `parseJson`; large bodies that arrive together are parsed one at a time. */
export async function parseInTurn(c: Ctx, bytes: Uint8Array, names = MAX_NAMES): Promise<unknown> {
  if (bytes.byteLength > LARGE) await c.env.giveWay();
  return parseJson(bytes, names);
}

/** @throws Problem 400 when `bytes` are not JSON in UTF-8, are nested deeply, or have more than `names` names */
export function parseJson(bytes: Uint8Array, names = MAX_NAMES): unknown {
  const shape = jsonShape(bytes, { depth: DEEPEST, names });
  if (shape.depth > DEEPEST) throw invalidField('body', `must not be nested deeper than ${DEEPEST}`);
  if (shape.names > names) throw invalidField('body', `must have at most ${names} names in its objects`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new Problem('invalid_request', 'The body is not JSON in UTF-8.', {
      fields: [{ path: 'body', message: 'must be JSON in UTF-8' }],
    });
  }
}

/** Returns the media type of the body, without parameters. @throws Problem 415 unless it is one of `types` */
export function requireMediaType(c: Ctx, types: readonly string[]): string {
  const type = (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (types.includes(type)) return type;
  throw otherMediaType(c.req.method, types);
}

/** Returns 415 with the types that the endpoint accepts. */
export function otherMediaType(method: string, types: readonly string[]): Problem {
  // https://www.w3.org/TR/ldp/#header-accept-post and RFC 5789 §3.1
  const name = method === 'PATCH' ? 'Accept-Patch' : 'Accept-Post';
  return new HttpProblem('unsupported_media_type', `The body must be ${types.join(' or ')}.`, {
    headers: { [name]: types.join(', ') },
  });
}

/**
 * Returns the whole body.
 * @throws Problem 413 as soon as it exceeds `limit` bytes, 400 when it is not complete after `ms`
 */
export async function readBytes(c: Ctx, limit: number, ms = ARRIVAL_MS): Promise<Uint8Array> {
  const announced = c.req.header('Content-Length');
  if (Number(announced ?? 0) > limit) throw tooLarge(limit);
  if (announced === undefined) return await inTime(gather(c, limit), ms, tooSlow);
  // The server accepts no more than the announced length, and `arrayBuffer` takes a tenth of the time of a stream.
  return new Uint8Array(await inTime(c.req.raw.arrayBuffer(), ms, tooSlow));
}

/** Returns the whole body of unknown length. @throws Problem 413 as soon as it exceeds `limit` bytes */
async function gather(c: Ctx, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The rest of a body that is too large is discarded by the listener.
  for await (const chunk of c.req.raw.body?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

const tooLarge = (limit: number) =>
  new Problem('body_too_large', `The body may have at most ${limit} bytes.`);

/** Returns the problem of a body whose client sends too slowly, after which its connection is closed. */
export function tooSlow(): HttpProblem {
  const headers = { Connection: 'close' };
  return new HttpProblem('invalid_request', 'The body took too long to arrive.', { headers });
}

/**
 * Returns the parsed value.
 * @param place name of the value as a whole, for errors
 * @throws Problem 400 that names every invalid field
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place = 'body',
): z.infer<Schema> {
  const result = schema.safeParse(value, { error: plainWords });
  if (result.success) return result.data;
  throw invalidFields(
    result.error.issues.map(({ path, message }) => ({ path: path.join('.') || place, message })),
  );
}
