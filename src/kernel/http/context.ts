import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Problems } from './problems.ts';

/** Values of every request, available to handlers. */
export interface Env {
  Bindings: {
    /** The address of the socket's peer; null over a unix socket. */
    peer: string | null;
  };
  Variables: {
    requestId: string;
    problems: Problems;
    /** The client's address: the peer's, or the one reported by a trusted proxy. */
    address: string;
    /** Pattern of the route, for logs and metrics: the path itself can contain a token. */
    route: string;
    /** The request with its path as a route writes it, to be answered in place of this one. */
    rewritten: Request | undefined;
    /** The page of another site whose form a browser posts; null = unknown, undefined = no such form. */
    formPage: string | null | undefined;
  };
}

export type App = OpenAPIHono<Env>;
export type Ctx = Context<Env>;

export function createApp(): App {
  return new OpenAPIHono<Env>();
}
