import { z } from '@hono/zod-openapi';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type { ProblemCode } from '../problem.ts';
import { whenReady } from '../when-ready.ts';
import type { Auth } from './auth.ts';
import { checked } from './body.ts';
import { noteText } from './compression.ts';
import type { App, Ctx } from './context.ts';
import { type Answers, describeEndpoint, type Method } from './describe.ts';
import { type FieldNotes, fieldReader } from './fields.ts';
import { withLength } from './head.ts';
import type { Param, ParamNames, Params, ParamValues } from './params.ts';
import { isStrict, notePreferences, preferencesOf } from './preferences.ts';
import type { RawBody, RequestBody } from './request-body.ts';

type BodyOf<A> = A extends { schema: infer Schema extends z.ZodType } ? z.input<Schema> : undefined;
/** A handler whose answers have no body returns nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: `void` lets a handler end without `return`
type Result<A extends Answers> = [BodyOf<A[keyof A]>] extends [undefined] ? void : BodyOf<A[keyof A]>;
type Reply<A extends Answers> = <Status extends keyof A & number>(
  status: Status,
  body: BodyOf<A[Status]>,
  headers?: Record<string, string>,
) => Response;

/** The parsed request, as a handler gets it. */
export interface Call<Caller, P, Query, Headers, Body, A extends Answers> {
  c: Ctx;
  caller: Caller;
  params: ParamValues<P>;
  query: Query;
  headers: Headers;
  body: Body;
  /**
   * Frees the body and the memory reserved for reading it, before the handler ends. An async handler keeps
   * `body` in memory all the same, as its parameter: handlers of large bodies return a chain of promises.
   */
  releaseBody(): void;
  /** Answers with one of the declared statuses; JSON. */
  reply: Reply<A>;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/**
 * An endpoint. Everything but `summary`, `description` and `tags` is enforced: `endpoint()` authenticates the
 * caller, parses parameters, query, header fields and body, and passes the typed values to `handler`.
 */
export interface Endpoint<
  Path extends string,
  Caller,
  P extends Params<Path>,
  Query extends z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined,
  Body,
  A extends Answers,
> {
  method: Method;
  /** Parameters in braces: `/files/{id}`. HEAD is answered wherever GET is. */
  path: Path;
  /** `operationId` of the OpenAPI document: the name of the method in generated clients. */
  operation: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  auth: Auth<Caller>;
  /** A reader for each parameter of the path. */
  params: P;
  query?: Query;
  headers?: Headers;
  body?: RequestBody<Body>;
  /** Unknown fields of query and body are 400, since a misspelt one could leave something unprotected. */
  refusesUnknown?: true;
  answers: A;
  /** Header fields of every answer, refusals included. */
  everyAnswer?: Readonly<Record<string, string>>;
  /** The codes with which `handler` refuses; those of `auth`, of parsing and of unknown ids are added. */
  problems?: readonly ProblemCode[];
  /**
   * Returns the JSON of the one declared answer (nothing when that has no body), or a whole response.
   * @throws Problem
   */
  handler(
    call: Call<Caller, P, Parsed<Query>, Parsed<Headers>, Body, A>,
  ): Promise<Response | Result<A>> | Response | Result<A>;
}

/** `Endpoint` where a path without parameters needs no `params`. */
type Declaration<
  Path extends string,
  Caller,
  P extends Params<Path>,
  Query extends z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined,
  Body,
  A extends Answers,
> = Omit<Endpoint<Path, Caller, P, Query, Headers, Body, A>, 'params'> &
  ([ParamNames<Path>] extends [never] ? { params?: undefined } : { params: P });

/** Mounts an endpoint and adds it to the OpenAPI document. */
export function endpoint<
  const Path extends string,
  Caller,
  P extends Params<Path>,
  const A extends Answers,
  Query extends z.ZodObject | undefined = undefined,
  Headers extends z.ZodObject | undefined = undefined,
  Body = undefined,
>(app: App, declaration: Declaration<Path, Caller, P, Query, Headers, Body, A>): void {
  const {
    method,
    path,
    auth,
    params = {} as P,
    query,
    headers,
    body,
    answers,
    everyAnswer,
    handler,
  } = declaration;
  describeEndpoint(app, { ...declaration, params });
  const status = Number(Object.keys(answers)[0] ?? 200);
  const readers = Object.entries<Param<unknown>>(params);
  const readQuery = queryReader(query ?? NO_QUERY);
  const mayBeAsync = headers !== undefined && 'Prefer' in headers.shape;

  const notesOf = (c: Ctx): FieldNotes => {
    const unknown: string[] = [];
    c.env.ignored = unknown;
    return {
      isChange: method === 'patch',
      refusesUnknown: () =>
        declaration.refusesUnknown === true || isStrict(preferencesOf(c.req.header('Prefer'))),
      unknown,
    };
  };

  const callOf = (c: Ctx, caller: Caller, notes: FieldNotes, releaseBody: () => void) => ({
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

  /** A separate function, since the frame of the caller would keep the body in memory until the handler ends. */
  const callWithBody = async (
    c: Ctx,
    kind: RequestBody<Body>,
    raw: ReturnType<typeof createRawBody>,
    notes: FieldNotes,
  ) => {
    const caller = await auth.authenticate(c, raw.read);
    const call = callOf(c, caller, notes, raw.release);
    call.body = kind.parse(await raw.read(), notes);
    return handler(call);
  };

  const answer = (c: Ctx, result: Response | Result<A>) =>
    result instanceof Response ? result : send(c, status, result);

  const respondToBody = async (c: Ctx, kind: RequestBody<Body>) => {
    if (everyAnswer) c.env.added = everyAnswer;
    const notes = notesOf(c);
    const raw = createRawBody(c, kind);
    try {
      const response = answer(c, await callWithBody(c, kind, raw, notes));
      notePreferences(c, response, mayBeAsync);
      return response;
    } finally {
      raw.release();
    }
  };

  const respond = (c: Ctx) => {
    if (everyAnswer) c.env.added = everyAnswer;
    const notes = notesOf(c);
    return whenReady(auth.authenticate(c, noBody), (caller) =>
      whenReady(handler(callOf(c, caller, notes, nothing)), (result) => withLength(c, answer(c, result))),
    );
  };

  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  app.on(method.toUpperCase(), pattern, body ? (c: Ctx) => respondToBody(c, body) : respond);
}

const nothing = () => {};
const noBody = async () => undefined;

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

function send(c: Ctx, status: number, value: unknown, headers?: Record<string, string>): Response {
  if (value === undefined) return c.body(null, status as StatusCode, headers);
  const text = noteText(c, JSON.stringify(value));
  return c.body(text, status as ContentfulStatusCode, { 'Content-Type': 'application/json', ...headers });
}

/** Reads the body when it is first needed, for the authentication or for the handler. */
function createRawBody(c: Ctx, body: RequestBody<unknown> | undefined) {
  let reading: Promise<RawBody> | undefined;
  let release: (() => void) | undefined;
  return {
    async read(): Promise<unknown> {
      reading ??= body?.read(c) ?? Promise.resolve({ value: undefined });
      const received = await reading;
      release ??= once(received.release);
      return received.value;
    },
    release() {
      release?.();
      reading = undefined;
    },
  };
}

function once(work: (() => void) | undefined): () => void {
  let left = work;
  return () => {
    left?.();
    left = undefined;
  };
}
