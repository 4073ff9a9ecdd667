import { type RouteConfig, z } from '@hono/zod-openapi';
import { isId } from '../ids.ts';
import { CODES, type ProblemCode } from './codes.ts';
import type { App, Ctx } from './context.ts';
import { notFound } from './problem.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type Security = 'session' | 'bearer' | 'basic';

/** What the OpenAPI document says of an endpoint. */
export interface EndpointDoc {
  summary: string;
  tags: string[];
  /** Who may call it; empty = anyone. */
  security?: Security[];
  /** The body by media type. */
  body?: Record<string, z.ZodType>;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  /** The good answers by status; null = no body, a text = a media type of bytes. */
  answers: Record<number, { description: string; schema?: z.ZodType | null; mediaType?: string }>;
  /** The codes with which it may be refused, beside those of the guard and of whatever reads JSON. */
  problems?: ProblemCode[];
}

/**
 * Mounts `handler` under `path` and writes the endpoint into the OpenAPI document. Parameters stand in braces
 * (`/files/{id}`). HEAD answers wherever GET does.
 */
export function endpoint(
  app: App,
  method: Method,
  path: string,
  doc: EndpointDoc,
  handler: (c: Ctx) => Response | Promise<Response>,
): void {
  describe(app, method, path, doc);
  app.on(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'), handler);
}

/** Writes an endpoint into the OpenAPI document alone, for routes that another library serves. */
export function describe(app: App, method: Method, path: string, doc: EndpointDoc): void {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  app.openAPIRegistry.registerPath({
    method,
    path,
    operationId: operationId(method, path),
    summary: doc.summary,
    tags: doc.tags,
    security: doc.security?.map((name) => ({ [name]: [] })),
    request: {
      params: parameters.length > 0 ? z.object(Object.fromEntries(parameters.map((name) => [name, z.string()]))) : undefined,
      query: doc.query,
      headers: doc.headers,
      body: doc.body && {
        required: true,
        content: Object.fromEntries(Object.entries(doc.body).map(([type, schema]) => [type, { schema }])),
      },
    },
    responses: { ...answers(doc), ...refusals(codesOf(method, doc)) },
  });
}

/** `get /api/storage/files/{id}` as `getApiStorageFilesId`: what programs that make clients name their functions after. */
function operationId(method: Method, path: string): string {
  return `${method}${path.replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** What the endpoint names itself, and what the guard and the reader of JSON refuse everywhere. */
function codesOf(method: Method, { security = [], body = {}, problems = [] }: EndpointDoc): ProblemCode[] {
  const codes = new Set(problems);
  if (method !== 'get' && security.includes('session')) codes.add('cross_site_request');
  if (method !== 'get' && security.includes('bearer')) codes.add('scope_insufficient');
  if ('application/json' in body) codes.add('body_too_large').add('unsupported_media_type');
  return [...codes];
}

function answers(doc: EndpointDoc): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(doc.answers).map(([status, { description, schema, mediaType = 'application/json' }]) => [
      status,
      schema ? { description, content: { [mediaType]: { schema } } } : { description },
    ]),
  );
}

function refusals(codes: readonly ProblemCode[]): RouteConfig['responses'] {
  const byStatus = Map.groupBy(codes, (code) => CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: names.map((name) => `\`${name}\``).join(', '), content: { 'application/problem+json': { schema: problemSchema } } },
    ]),
  );
}

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .openapi('Problem');

/** The id in the path under `name`. @throws Problem 404 when it is no id, as for one that does not exist */
export function pathId(c: Ctx, name: string): string {
  const id = c.req.param(name)?.toLowerCase() ?? '';
  if (!isId(id)) throw notFound();
  return id;
}
