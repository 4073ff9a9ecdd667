import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { Counter } from 'prom-client';
import { codeOf } from '../../errors/code-of.ts';
import { isStorageFull, storageFull } from '../../errors/storage-full.ts';
import { asUnavailable } from '../../errors/unavailable.ts';
import type { Log } from '../../log.ts';
import { notFound, Problem } from '../../problem.ts';
import { noteText } from '../compression.ts';
import type { App, Ctx } from '../context.ts';
import { withLength } from '../head.ts';
import { languageOf } from '../language.ts';
import { missingPage, prefersPage, problemPage } from '../pages/problem-page.ts';
import { allowOf, createKnownPaths } from './known-paths.ts';
import { HttpProblem } from './problems.ts';

interface RefusalDeps {
  log: Log;
  /** Number of refused requests. */
  refusals: Counter<'code'>;
}

/** Responds to errors of handlers, and to requests without a route, with a problem as JSON or as a page. */
export function mountRefusals(app: App, { log, refusals }: RefusalDeps): void {
  const knownPaths = createKnownPaths(app);

  function refuse(c: Ctx, problem: Problem): Response | Promise<Response> {
    refusals.inc({ code: problem.code });
    const { problems, requestId: id } = c.env;
    // It belongs to the response that failed.
    delete c.env.text;
    if (prefersPage(c)) return problemPage(c, problem).then((page) => withLength(c, page));
    const { text, ...head } = problems.render(problem, { id, language: languageOf(c) });
    return withLength(c, new Response(noteText(c, text), head));
  }

  /** Requests that the request be handled again under the path as its route spells it. */
  function rewrite(c: Ctx, path: string): Response {
    const url = new URL(c.req.url);
    url.pathname = path;
    c.env.rewritten = new Request(url.href, c.req.raw);
    // They belong to the response of the other route.
    for (const name of ['added', 'text', 'ignored', 'callerId', 'isFailureLogged'] as const)
      delete c.env[name];
    return c.body(null, 404);
  }

  app.notFound(async (c) => {
    const { pathname } = new URL(c.req.url);
    const known = knownPaths.find(pathname);
    if (known && known.path !== pathname) return rewrite(c, known.path);
    if (known === null || answers(known.methods, c.req.method))
      return prefersPage(c) ? await withLength(c, await missingPage(c)) : await refuse(c, notFound());
    return await otherMethod(c, known.methods, refuse);
  });
  app.onError((error, c) => {
    const problem = asProblem(error, log, c.env.requestId);
    // Another route may have read a fixed name as an id, as in a GET of `/messages/resend`, which has only POST, or of
    // `/messages/Statistics`, and refused the caller or the request for that.
    if (!knownPaths.isAmbiguous(routePath(c))) return refuse(c, problem);
    const { pathname } = new URL(c.req.url);
    const known = knownPaths.find(pathname);
    if (known && !answers(known.methods, c.req.method)) return otherMethod(c, known.methods, refuse);
    if (known && known.path !== pathname && !c.req.raw.bodyUsed) return rewrite(c, known.path);
    return refuse(c, problem);
  });
}

function answers(methods: ReadonlySet<string>, method: string): boolean {
  return methods.has(method) || (method === 'HEAD' && methods.has('GET'));
}

/** Responds to a method that a known path does not have (RFC 9110 §15.5.6, §9.3.7). */
async function otherMethod(
  c: Ctx,
  methods: ReadonlySet<string>,
  refuse: (c: Ctx, problem: Problem) => Response | Promise<Response>,
): Promise<Response> {
  const headers = { Allow: allowOf(methods) };
  if (c.req.method === 'OPTIONS') return c.body(null, 204, headers);
  const detail = `This address supports only ${headers.Allow}.`;
  return await refuse(c, new HttpProblem('method_not_allowed', detail, { headers }));
}

/** Returns the problem for a request that failed with `error`, which it logs unless a caller caused it. */
export function asProblem(error: unknown, log: Log, requestId: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status < 500)
    return new Problem('invalid_request', 'The request could not be read.');
  // PostgreSQL's character_not_in_repertoire: its text type allows every character but U+0000.
  if (codeOf(error) === '22021') {
    return new Problem(
      'invalid_request',
      'The request contains the character U+0000, which no text may contain.',
    );
  }
  // The client disconnected during its request: not an error of the server.
  if (error instanceof Error && error.name === 'AbortError')
    return new Problem('invalid_request', 'The request ended before its body was complete.');
  if (isStorageFull(error)) {
    log.error({ requestId, error }, 'the disk is full');
    return storageFull(error);
  }
  const unavailable = asUnavailable(error);
  if (unavailable) {
    log.warn({ requestId, error }, 'an engine is unavailable');
    return unavailable;
  }
  log.error({ requestId, error }, 'unexpected error');
  return new Problem(
    'internal_error',
    'The request failed because of an internal error. The log has the cause under the request id.',
  );
}
