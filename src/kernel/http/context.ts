import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { GiveWay } from '../event-loop/time-slices.ts';
import type { Requester } from '../limits/callers.ts';
import type { PlainHeaders } from './content/plain-fields.ts';
import type { Problems } from './problems/problems.ts';
import { createRouter } from './router.ts';

/** A request and its response: `c.env` of handlers. */
export interface Exchange extends Requester {
  readonly requestId: string;
  readonly problems: Problems;
  /** Call it before work that takes milliseconds, so that other requests are handled first. */
  readonly giveWay: GiveWay;
  /** The address of the socket's peer; null when the client has disconnected. */
  readonly peer: string | null;
  /** The client's address: the peer's, or the one reported by a trusted proxy; `disconnected` without a peer. */
  readonly address: string;
  /** Header fields of the response, a refusal included. */
  added?: PlainHeaders;
  /** Body of the response, to be compressed (`compression.ts`). */
  text?: string;
  /** Paths of the ignored fields of the request. */
  ignored?: readonly string[];
  /** Whether the failure is in the log already, so that the request is not logged as an error. */
  isFailureLogged?: boolean;
  /** The same request with the path as its route writes it, to be handled in place of this one. */
  rewritten?: Request;
}

export interface Env {
  Bindings: Exchange;
  Variables: {
    /** The page of another site whose form a browser posts; null = unknown, undefined = no such form. */
    formPage: string | null | undefined;
  };
}

export type App = OpenAPIHono<Env>;
export type Ctx = Context<Env>;

export function createApp(): App {
  return new OpenAPIHono<Env>({ router: createRouter() });
}
