import type { z } from '@hono/zod-openapi';
import type { Ctx } from './context.ts';
import { type FieldError, Problem } from './problem.ts';

export const JSON_LIMIT = 1_048_576;

/**
 * Reads a JSON body and checks it.
 * @throws Problem 415 for another media type, 413 over `limit` bytes, 400 that names every wrong field
 */
export async function readJson<Schema extends z.ZodType>(c: Ctx, schema: Schema, limit = JSON_LIMIT): Promise<z.infer<Schema>> {
  return checked(schema, await readJsonValue(c, limit));
}

/** The parsed body, unchecked. @throws Problem like `readJson` */
export async function readJsonValue(c: Ctx, limit = JSON_LIMIT): Promise<unknown> {
  requireMediaType(c, ['application/json']);
  return parseJson(await readBytes(c, limit));
}

/** @throws Problem 400 when `bytes` are not JSON in UTF-8 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new Problem('invalid_request', 'The body is not JSON in UTF-8.', {
      errors: [{ path: 'body', message: 'must be JSON in UTF-8' }],
    });
  }
}

/** @throws Problem 415 unless the body's media type (parameters left out) is one of `types` */
export function requireMediaType(c: Ctx, types: readonly string[]): string {
  const type = (c.req.header('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (types.includes(type)) return type;
  throw new Problem('unsupported_media_type', `The body must be ${types.join(' or ')}.`);
}

/** The whole body. @throws Problem 413 as soon as it is known to have more than `limit` bytes */
export async function readBytes(c: Ctx, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new Problem('body_too_large', `The body may have ${limit} bytes at most.`, { headers: { Connection: 'close' } });
  const announced = c.req.header('Content-Length');
  if (Number(announced ?? 0) > limit) throw tooLarge();
  // The server takes no more than what was announced, so it may be read whole, which costs a tenth of a stream.
  if (announced !== undefined) return new Uint8Array(await c.req.raw.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** @throws Problem 400 that names every wrong field */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, place = 'body'): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors: FieldError[] = result.error.issues.map((issue) => ({ path: issue.path.join('.') || place, message: issue.message }));
  throw new Problem('invalid_request', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), { errors });
}

/** The query parameters, checked; a parameter that stands twice counts once, with its last value. */
export function readQuery<Schema extends z.ZodType>(c: Ctx, schema: Schema): z.infer<Schema> {
  return checked(schema, c.req.query(), 'query');
}
