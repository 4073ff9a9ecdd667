import { z } from '@hono/zod-openapi';
import { checked } from './bodies/read-body.ts';
import type { Ctx } from './context.ts';
import type { Responses } from './describe.ts';
import { type FieldNotes, fieldReader } from './fields.ts';
import type { Param, ParamValues } from './params.ts';
import { type Reply, send } from './reply.ts';

/** The parsed request that a handler receives. */
export interface Call<Caller, P, Query, Headers, Body, A extends Responses> {
  c: Ctx;
  caller: Caller;
  params: ParamValues<P>;
  query: Query;
  headers: Headers;
  body: Body;
  /**
   * Frees the body and the memory reserved for reading it, before the handler ends. An async function keeps its
   * parameters in memory until it ends, and so `body`: handlers of large bodies return a chain of promises instead.
   */
  releaseBody(): void;
  /** Returns a JSON response with one of the declared statuses. */
  reply: Reply<A>;
}

/** The values of a query or of header fields; undefined = the endpoint has no schema for them. */
export type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

interface CallReaders<P, Query, Headers> {
  params: P;
  query?: Query;
  headers?: Headers;
}

/**
 * Returns a function that parses the parameters, the query and the header fields of a request. `body` is undefined;
 * `endpoint()` sets it after parsing.
 */
export function callReader<
  Caller,
  P extends Readonly<Record<string, Param<unknown>>>,
  Query extends z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined,
  Body,
  A extends Responses,
>({ params, query, headers }: CallReaders<P, Query, Headers>) {
  const readers = Object.entries<Param<unknown>>(params);
  const readQuery = queryReader(query ?? NO_QUERY);

  return (
    c: Ctx,
    caller: Caller,
    notes: FieldNotes,
    releaseBody: () => void,
  ): Call<Caller, P, Parsed<Query>, Parsed<Headers>, Body, A> => ({
    c,
    caller,
    params: readParams(c, readers) as ParamValues<P>,
    query: readQuery(c, notes) as Parsed<Query>,
    // Read on demand: most handlers leave conditions and ranges to kernel/http.
    get headers() {
      return (headers && readHeaders(c, headers)) as Parsed<Headers>;
    },
    body: undefined as Body,
    releaseBody,
    reply: ((code, value, added) => send(c, code, value, added)) as Reply<A>,
  });
}

function readParams(c: Ctx, readers: readonly [string, Param<unknown>][]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, reader] of readers) values[name] = reader.parse(c.req.param(name) ?? '');
  return values;
}

const NO_QUERY = z.object({});

/** Parses the query of a request. The result for requests without a query is computed once. */
function queryReader(schema: z.ZodObject): (c: Ctx, notes: FieldNotes) => unknown {
  let empty: ReturnType<typeof schema.safeParse> | undefined;
  const read = fieldReader(schema, 'query');
  return (c, notes) => {
    empty ??= schema.safeParse({});
    return empty.success && !c.req.url.includes('?') ? empty.data : read(c.req.query(), notes);
  };
}

function readHeaders(c: Ctx, schema: z.ZodObject): unknown {
  const values = Object.keys(schema.shape).map((name) => [name, c.req.header(name)]);
  return checked(schema, Object.fromEntries(values), 'header');
}
