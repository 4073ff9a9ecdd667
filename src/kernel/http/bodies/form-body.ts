import type { z } from '@hono/zod-openapi';
import { Problem } from '../../problem.ts';
import type { Ctx } from '../context.ts';
import { fieldReader } from '../fields.ts';
import { multipartBoundary } from './multipart-fields.ts';
import { readBytes, requireMediaType } from './read-body.ts';
import { binary, READING_PROBLEMS, type RequestBody } from './request-body.ts';

/** A body that is a form: `types` are its media types, `read` returns its fields as an object. */
export function form<Schema extends z.ZodType>(
  schema: Schema,
  types: readonly string[],
  read: (c: Ctx) => Promise<unknown>,
): RequestBody<z.output<Schema>> {
  return {
    content: Object.fromEntries(types.map((type) => [type, schema])),
    problems: READING_PROBLEMS,
    read: async (c) => ({ value: await read(c) }),
    parse: fieldReader(schema),
  };
}

const MAX_BOUNDARY_LENGTH = 200;

/** Returns the boundary of a multipart body. @throws Problem 415 for another media type, or without a valid boundary */
export function requireBoundary(c: Ctx): string {
  requireMediaType(c, ['multipart/form-data']);
  const boundary = multipartBoundary(c.req.header('Content-Type'));
  if (boundary === null)
    throw new Problem(
      'unsupported_media_type',
      'The Content-Type multipart/form-data has no boundary: leave the header to the HTTP library.',
    );
  // RFC 2046 §5.1.1 allows 70 characters; some clients send more. A line end is never valid.
  if (boundary.length <= MAX_BOUNDARY_LENGTH && !/[\r\n]/.test(boundary)) return boundary;
  throw new Problem(
    'unsupported_media_type',
    `The boundary in the Content-Type must have at most ${MAX_BOUNDARY_LENGTH} characters, and no line ends.`,
  );
}

/** The fields of a form that the handler streams. */
export interface StreamedForm<Values> {
  names: readonly string[];
  /** @throws Problem 400 that names every invalid field */
  check(values: Record<string, unknown>): Values;
}

/** A form with a `file`, which the handler streams. `body` of the handler checks its fields once they are known. */
export function multipart<Fields extends z.ZodObject>(
  fields: Fields,
): RequestBody<StreamedForm<z.output<Fields>>> {
  const names = Object.keys(fields.shape);
  const read = fieldReader(fields);
  return {
    content: { 'multipart/form-data': fields.safeExtend({ file: binary }) },
    problems: ['invalid_request', 'unsupported_media_type'],
    read: async () => ({ value: undefined }),
    parse: (_, notes) => ({ names, check: (values) => read(values, notes) }),
  };
}

/** Media type of forms without files (HTML, application/x-www-form-urlencoded encoding algorithm). */
export const URL_ENCODED = 'application/x-www-form-urlencoded';
const FORM_LIMIT = 16_384;

/** Returns the fields of a form, the last of those with one name. @throws Problem 413 over 16 KB, 415 */
export async function readUrlEncoded(c: Ctx): Promise<Record<string, string>> {
  requireMediaType(c, [URL_ENCODED]);
  const text = new TextDecoder().decode(await readBytes(c, FORM_LIMIT));
  return Object.fromEntries(new URLSearchParams(text));
}

/** The form of a page without script. */
export function urlEncoded<Schema extends z.ZodObject>(schema: Schema): RequestBody<z.output<Schema>> {
  return form(schema, [URL_ENCODED], readUrlEncoded);
}
