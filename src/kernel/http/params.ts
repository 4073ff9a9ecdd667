import { z } from '@hono/zod-openapi';
import { isId } from '../ids.ts';
import { notFound, type ProblemCode } from '../problem.ts';

/** How a parameter of the path is read. */
export interface Param<Value> {
  schema: z.ZodType;
  /** The codes with which `parse` refuses; `not_found` if omitted. */
  problems?: readonly ProblemCode[];
  /** @throws Problem 404 when `text` cannot name anything */
  parse(text: string): Value;
}

/** A GUID, in lower case. A malformed id is treated as one that does not exist. */
export const guid: Param<string> = {
  schema: z.uuid(),
  parse(text) {
    const id = text.toLowerCase();
    if (!isId(id)) throw notFound();
    return id;
  },
};

/** Text compared exactly, such as a token. */
export const opaque: Param<string> = { schema: z.string(), problems: [], parse: (text) => text };

const trueOrFalse = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'must be true or false' });
const documented = { type: 'string' as const, enum: ['true', 'false'] };

/** A query parameter that is `true` or `false`; false when absent. */
export const flag = trueOrFalse.default(false).openapi(documented);

/** A query parameter that is `true` or `false`; undefined when absent. */
export const optionalFlag = trueOrFalse.optional().openapi(documented);

/** The names in braces of a path pattern. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** One reader for each name in the path. */
export type Params<Path extends string> = { readonly [Name in ParamNames<Path>]: Param<unknown> };

export type ParamValues<Readers> = {
  [Name in keyof Readers]: Readers[Name] extends Param<infer Value> ? Value : never;
};
