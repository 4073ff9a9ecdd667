import { z } from '@hono/zod-openapi';
import type { ProblemCode } from '../../problem.ts';
import type { Ctx } from '../context.ts';
import { type FieldNotes, fieldReader } from '../fields.ts';
import { readJsonValue, requireMediaType } from './read-body.ts';

/** A body as it was received, not yet validated. */
export interface RawBody {
  value: unknown;
  /** Releases the memory that reading has reserved; called no later than the end of the request. */
  release?: () => void;
}

/** How the body of a request is documented, read and validated. */
export interface RequestBody<Value> {
  /** Schemas by media type, for the OpenAPI document. */
  content: Readonly<Record<string, z.ZodType>>;
  problems: readonly ProblemCode[];
  /** Default false. */
  isOptional?: boolean;
  read(c: Ctx): Promise<RawBody>;
  /** @throws Problem 400 that names every invalid field */
  parse(value: unknown, notes: FieldNotes): Value;
}

/** Codes of bodies that are read and validated before the handler is called. */
export const READING_PROBLEMS = ['invalid_request', 'body_too_large', 'unsupported_media_type'] as const;

export function json<Schema extends z.ZodType>(schema: Schema): RequestBody<z.output<Schema>> {
  return {
    content: { 'application/json': schema },
    problems: READING_PROBLEMS,
    read: async (c) => ({ value: await readJsonValue(c) }),
    parse: fieldReader(schema),
  };
}

/** A JSON body whose fields are all optional: a missing body counts as `{}`. */
export function optionalJson<Schema extends z.ZodType>(schema: Schema): RequestBody<z.output<Schema>> {
  return {
    ...json(schema),
    isOptional: true,
    read: async (c) => ({ value: hasBody(c) ? await readJsonValue(c) : {} }),
  };
}

function hasBody(c: Ctx): boolean {
  return Number(c.req.header('Content-Length') ?? 0) > 0 || c.req.header('Transfer-Encoding') !== undefined;
}

/** A body of bytes that the handler streams. */
export function octets(mediaType: string): RequestBody<undefined> {
  return {
    content: { [mediaType]: binary },
    problems: ['unsupported_media_type'],
    async read(c) {
      requireMediaType(c, [mediaType]);
      return { value: undefined };
    },
    parse: () => undefined,
  };
}

/** Bytes in the OpenAPI document. */
export const binary = z.string().openapi({ format: 'binary' });
