import type { Config } from '../config/config.ts';
import type { ShortRequests } from '../kernel/event-loop/short-requests.ts';
import type { Addresses } from '../kernel/http/address.ts';
import { createAmbiguityCheck } from '../kernel/http/ambiguous-requests.ts';
import type { Http, Peer } from '../kernel/http/app.ts';
import { type Listener, listen } from '../kernel/http/listener/listener.ts';
import { createProblems, problemResponse } from '../kernel/http/problems/problems.ts';
import { newId } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import { Problem } from '../kernel/problem.ts';
import { kernelProblems } from '../kernel/problems.ts';

const IDLE_SECONDS = 30;
/** The port of the server, whose requests are refused until it is ready. */
export interface Gateway {
  /** Null = not yet known. */
  port: number | null;
  /** Serves requests from now on, and returns the port. */
  open(http: Http, log: Log): number;
  /** Stops accepting requests, and waits for the running ones; closes their connections after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Closes all connections. */
  cut(): Promise<void>;
}

interface GatewayDeps {
  /** Record that the listener adds to. */
  shortRequests: ShortRequests;
  addresses: Pick<Addresses, 'isTrusted'>;
  /** Whether other processes listen on the port: then it is opened when this one is ready. */
  isShared: boolean;
}

export function createGateway(
  config: Pick<Config, 'host' | 'port'>,
  { shortRequests, addresses, isShared }: GatewayDeps,
): Gateway {
  const ambiguityOf = createAmbiguityCheck();
  const problems = createProblems(kernelProblems, {});
  let http: Http | null = null;
  let streamFailed = (_error: unknown): void => {};

  const refuse = (problem: Problem) => problemResponse(problems, problem, newId());
  const starting = () =>
    refuse(new Problem('unavailable', 'The server is starting.', { retryAfterMs: 1_000 }));

  function answer(request: Request, peer: Peer): Response | Promise<Response> {
    const ambiguity = ambiguityOf(request.headers);
    if (ambiguity) return refuse(ambiguity);
    return http?.answer(request, peer) ?? starting();
  }

  const begin = () =>
    listen({
      hostname: config.host,
      port: config.port,
      shared: isShared,
      idleTimeout: IDLE_SECONDS,
      answer,
      shortRequests,
      isProxy: addresses.isTrusted,
      failed: (error) => streamFailed(error),
      unsent: (error) => http?.unsent(error) ?? new Response(null, { status: 500 }),
      excess: () => http?.excess() ?? starting(),
    });

  let listener: Listener | null = isShared && config.port !== 0 ? null : begin();
  return {
    port: listener?.port ?? null,
    open(answering, log) {
      streamFailed = (error) =>
        error instanceof Problem
          ? log.info({ code: error.code }, 'a streamed response was ended')
          : log.error({ error }, 'a streamed response failed');
      http = answering;
      listener ??= begin();
      return listener.port;
    },
    async stop(graceMs) {
      const cut = setTimeout(() => void listener?.stop(true), graceMs);
      await listener?.stop();
      clearTimeout(cut);
    },
    async cut() {
      await listener?.stop(true);
    },
  };
}
