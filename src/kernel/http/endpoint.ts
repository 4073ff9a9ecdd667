import type { z } from '@hono/zod-openapi';
import type { GiveWay } from '../event-loop/time-slices.ts';
import { whenReady } from '../event-loop/when-ready.ts';
import type { Auth } from './auth.ts';
import { type BodyReading, createBodyReading } from './bodies/body-reading.ts';
import type { RequestBody } from './bodies/request-body.ts';
import { type Call, callReader, type Parsed } from './call.ts';
import type { PlainHeaders } from './content/plain-fields.ts';
import type { App, Ctx } from './context.ts';
import { describeEndpoint, type EndpointFacts, type Responses } from './describe.ts';
import type { FieldNotes } from './fields.ts';
import { withLength } from './head.ts';
import type { ParamNames, Params } from './params.ts';
import { isStrict, notePreferences, preferencesOf } from './preferences.ts';
import { type BodyOf, send } from './reply.ts';

/** A handler whose responses have no body returns nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: `void` lets a handler end without `return`
type Result<A extends Responses> = [BodyOf<A[keyof A]>] extends [undefined] ? void : BodyOf<A[keyof A]>;

/**
 * An endpoint. Everything but `summary`, `description` and `tags` is enforced: `endpoint()` authenticates the
 * caller, parses parameters, query, header fields and body, and passes the typed values to `handler`. `params` has a
 * reader for each parameter of the path.
 */
type Declaration<
  Path extends string,
  Caller,
  P extends Params<Path>,
  Query extends z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined,
  Body,
  A extends Responses,
> = Omit<EndpointFacts, 'path' | 'auth' | 'params' | 'query' | 'headers' | 'body' | 'responses'> & {
  /** Parameters in braces: `/files/{id}`. HEAD is supported wherever GET is. */
  path: Path;
  auth: Auth<Caller>;
  query?: Query;
  headers?: Headers;
  body?: RequestBody<Body>;
  /** Rejects unknown query and body fields with 400: a misspelled one could leave a file unprotected. */
  refusesUnknown?: true;
  responses: A;
  /** Header fields of every response, refusals included. */
  everyResponse?: PlainHeaders;
  /**
   * Awaited before `handler`, for requests without a body that read up to a thousand rows: several milliseconds of the
   * event loop. Shared by such endpoints. Handlers await it again before they convert the rows: those of PostgreSQL
   * arrive in a later turn, which the first time slice does not count.
   */
  giveWay?: GiveWay;
  /**
   * Returns the JSON of the one declared response (nothing when that has no body), or a whole response.
   * @throws Problem
   */
  handler(
    call: Call<Caller, P, Parsed<Query>, Parsed<Headers>, Body, A>,
  ): Promise<Response | Result<A>> | Response | Result<A>;
} & ([ParamNames<Path>] extends [never] ? { params?: undefined } : { params: P });

/** Mounts an endpoint and adds it to the OpenAPI document. */
export function endpoint<
  const Path extends string,
  Caller,
  P extends Params<Path>,
  const A extends Responses,
  Query extends z.ZodObject | undefined = undefined,
  Headers extends z.ZodObject | undefined = undefined,
  Body = undefined,
>(app: App, declaration: Declaration<Path, Caller, P, Query, Headers, Body, A>): void {
  const {
    method,
    path,
    auth,
    params = {} as P,
    headers,
    body,
    everyResponse,
    giveWay,
    handler,
  } = declaration;
  describeEndpoint(app, { ...declaration, params });
  const status = Number(Object.keys(declaration.responses)[0] ?? 200);
  const mayBeAsync = headers !== undefined && 'Prefer' in headers.shape;
  const callOf = callReader<Caller, P, Query, Headers, Body, A>({ ...declaration, params });

  /** A separate function, since the frame of the caller would keep the body in memory until the handler ends. */
  const callWithBody = async (c: Ctx, kind: RequestBody<Body>, raw: BodyReading, notes: FieldNotes) => {
    const caller = await auth.authenticate(c, raw.read);
    c.env.callerId = auth.idOf(caller);
    const call = callOf(c, caller, notes, raw.release);
    call.body = kind.parse(await raw.read(), notes);
    return handler(call);
  };

  const answer = (c: Ctx, result: Response | Result<A>) =>
    result instanceof Response ? result : send(c, status, result);

  const respondToBody = async (c: Ctx, kind: RequestBody<Body>) => {
    if (everyResponse) c.env.added = everyResponse;
    const notes = createNotes(c, declaration);
    const raw = createBodyReading(c, kind);
    try {
      const response = answer(c, await callWithBody(c, kind, raw, notes));
      notePreferences(c, response, mayBeAsync);
      return response;
    } finally {
      raw.release();
    }
  };

  const respond = (c: Ctx) => {
    if (everyResponse) c.env.added = everyResponse;
    const notes = createNotes(c, declaration);
    return whenReady(auth.authenticate(c, noBody), (caller) => {
      c.env.callerId = auth.idOf(caller);
      const call = callOf(c, caller, notes, nothing);
      return whenReady(giveWay?.(), () =>
        whenReady(handler(call), (result) => withLength(c, answer(c, result))),
      );
    });
  };

  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  app.on(method.toUpperCase(), pattern, body ? (c: Ctx) => respondToBody(c, body) : respond);
}

/** Creates the record of unknown fields of a request. */
function createNotes(
  c: Ctx,
  { method, refusesUnknown }: Pick<EndpointFacts, 'method'> & { refusesUnknown?: true },
): FieldNotes {
  const unknown: string[] = [];
  c.env.ignored = unknown;
  return {
    isChange: method === 'patch',
    refusesUnknown: () => refusesUnknown === true || isStrict(preferencesOf(c.req.header('Prefer'))),
    unknown,
  };
}

const nothing = () => {};
const noBody = async () => undefined;
