import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import type { ProblemCode } from '../problem.ts';
import type { Auth } from './auth.ts';
import type { RequestBody } from './bodies/request-body.ts';
import type { App } from './context.ts';
import type { Param } from './params.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A successful response. Without a schema it has no body. */
export interface ResponseDeclaration {
  description: string;
  schema?: z.ZodType;
  /** Media type of the body; default `application/json`. */
  mediaType?: string;
}

/** Declares a response that is a page. */
export const htmlPage = (description: string) =>
  ({ description, schema: z.string(), mediaType: 'text/html' }) as const;

export type Responses = Readonly<Record<number, ResponseDeclaration>>;

/** The documented half of an endpoint. */
export interface EndpointFacts {
  method: Method;
  path: string;
  /** `operationId` of the OpenAPI document: the name of the method in generated clients. */
  operation: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  auth: Pick<Auth<unknown>, 'name' | 'security' | 'optional' | 'problems'>;
  params: Readonly<Record<string, Param<unknown>>>;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: RequestBody<unknown>;
  responses: Responses;
  /** The codes with which the handler refuses; those of `auth`, of parsing and of unknown ids are added. */
  problems?: readonly ProblemCode[];
}

/**
 * Adds an endpoint to the OpenAPI document. Two extensions carry what `site/openapi.ts` expands: `x-access` is the
 * name of `auth`, `x-problems` the codes of its refusals.
 */
export function describeEndpoint(app: App, facts: EndpointFacts): void {
  const { method, path, operation, summary, description, tags, auth, responses } = facts;
  const route = createRoute({
    method,
    path,
    operationId: operation,
    summary,
    description: description ?? summary,
    tags: [...tags],
    security: [...(auth.optional ? [{}] : []), ...auth.security.map((scheme) => ({ [scheme]: [] }))],
    request: requestOf(facts),
    responses: responsesOf(responses),
  });
  app.openAPIRegistry.registerPath({ ...route, 'x-access': auth.name, 'x-problems': problemsOf(facts) });
}

function requestOf({ params, query, headers, body }: EndpointFacts): RouteConfig['request'] {
  const names = Object.entries(params).map(([name, { schema }]) => [name, schema]);
  return {
    params: names.length > 0 ? z.object(Object.fromEntries(names)) : undefined,
    query,
    headers,
    body: body && {
      required: !body.isOptional,
      content: Object.fromEntries(Object.entries(body.content).map(([type, schema]) => [type, { schema }])),
    },
  };
}

function responsesOf(responses: Responses): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, schema, mediaType = 'application/json' }]) => [
      status,
      schema ? { description, content: { [mediaType]: { schema } } } : { description },
    ]),
  );
}

function problemsOf({ method, auth, params, query, body, problems = [] }: EndpointFacts) {
  return [
    ...new Set<ProblemCode>([
      ...auth.problems(method),
      ...(query ? (['invalid_request'] as const) : []),
      ...Object.values(params).flatMap(({ problems = ['not_found'] }) => problems),
      ...(body?.problems ?? []),
      ...problems,
    ]),
  ];
}
