import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';

/** What every request carries through the handlers. */
export interface Env {
  Bindings: {
    /** The peer's address as the socket tells it; null over a unix socket. */
    peer: string | null;
  };
  Variables: {
    requestId: string;
    /** The client's address: the peer's, or what a trusted proxy says. */
    address: string;
    /** Pattern of the route, for logs and metrics, so that no token of a path reaches them. */
    route: string;
  };
}

export type App = OpenAPIHono<Env>;
export type Ctx = Context<Env>;

export function createApp(): App {
  return new OpenAPIHono<Env>();
}
