import type { ProblemCode } from '../problem.ts';
import type { Ctx } from './context.ts';

/** Security schemes of the OpenAPI document. */
export type SecurityScheme = 'session' | 'bearer' | 'basic';

/** The callers of an endpoint. `endpoint()` runs `authenticate` before it reads anything else of the request. */
export interface Auth<Caller> {
  /** Name in `test/access.json` and in the OpenAPI document (`x-access`). */
  readonly name: string;
  /** One of these is enough; empty = anyone may call. */
  readonly security: readonly SecurityScheme[];
  /** Requests without any of `security` are accepted too: the empty requirement `{}` of OpenAPI. */
  readonly optional?: boolean;
  /** The codes with which `authenticate` refuses a request with this method. */
  problems(method: string): readonly ProblemCode[];
  /**
   * Returns the caller.
   * @param body reads the body, not yet validated, for credentials that are part of it
   * @throws Problem
   */
  authenticate(c: Ctx, body: () => Promise<unknown>): Promise<Caller> | Caller;
  /** Returns the id under which the caller takes turns with others; null = its address counts. */
  idOf(caller: Caller): string | null;
}

/** Anyone may call. */
export const anyone: Auth<null> = {
  name: 'anyone',
  security: [],
  problems: () => [],
  authenticate: () => null,
  idOf: () => null,
};
