import { CODES, type ProblemCode } from './codes.ts';

export interface FieldError {
  /** Dotted path of the field in the request (`fields.0.name`), a parameter's or a header's name. */
  path: string;
  message: string;
}

interface ProblemOptions {
  errors?: FieldError[];
  headers?: Record<string, string>;
  cause?: unknown;
}

/** The one error that answers a request on purpose (RFC 9457). Thrown anywhere, rendered in one place. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  /** A sentence for the person who made the request; must hold no secret, path or SQL. */
  readonly detail: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.status = CODES[code].status;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

/** 400 `invalid_request` for one field. */
export function invalidField(path: string, message: string): Problem {
  return new Problem('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] });
}

/** The one 404, the same for what is not there and for what is another's. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is nothing here, or it is not yours.');
}

/** A refusal with `Retry-After` in whole seconds, rounded up. */
export function tooMany(code: 'rate_limited' | 'too_many_attempts', detail: string, retryAfterMs: number): Problem {
  return new Problem(code, detail, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } });
}

/** `application/problem+json` for `problem`. */
export function renderProblem(problem: Problem, requestId: string): Response {
  const body = {
    type: `/docs/errors#${problem.code}`,
    title: CODES[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    code: problem.code,
    requestId,
    errors: problem.errors,
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...problem.headers },
  });
}
