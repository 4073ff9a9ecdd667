import type { z } from '@hono/zod-openapi';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import { noteText } from './compression.ts';
import type { Ctx } from './context.ts';
import type { Responses } from './describe.ts';

/** The body of a response; undefined where none is declared. */
export type BodyOf<A> = A extends { schema: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
/** Returns a JSON response with one of the declared statuses. */
export type Reply<A extends Responses> = <Status extends keyof A & number>(
  status: Status,
  body: BodyOf<A[Status]>,
  headers?: Record<string, string>,
) => Response;

/** Returns a response with `value` as JSON, or without a body when it is undefined. */
export function send(c: Ctx, status: number, value: unknown, headers?: Record<string, string>): Response {
  if (value === undefined) return c.body(null, status as StatusCode, headers);
  const text = noteText(c, JSON.stringify(value));
  return c.body(text, status as ContentfulStatusCode, { 'Content-Type': 'application/json', ...headers });
}
