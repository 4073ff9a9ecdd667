/** The meaning of a code: its HTTP status and the remedy for the caller. */
export interface ProblemKind {
  /** HTTP status (RFC 9110 §15). */
  status: number;
  title: string;
  /**
   * German title and detail. In it, `{detail}` is replaced with `Problem.detail`, and `{wait}` with the time of
   * `Problem.retryAfterMs`.
   */
  de: { title: string; detail: string };
  /** Sentence for `/docs/errors` and `docs/errors.md`. */
  remedy: string;
}

export type ProblemTable = Readonly<Record<string, ProblemKind>>;

/** All codes. The kernel and each service declare theirs beside their table of problems, with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface ProblemCodes {}

export type ProblemCode = keyof ProblemCodes;

export interface FieldError {
  /** Dotted path of the field in the request (`fields.0.name`), or the name of a parameter or header field. */
  path: string;
  message: string;
}

interface ProblemOptions {
  fields?: FieldError[];
  /** Milliseconds after which a retry can succeed. */
  retryAfterMs?: number;
  cause?: unknown;
}

/** The error type for all failures that a caller can cause. It is data only; `kernel/http` renders it (RFC 9457). */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly code: ProblemCode;
  /** Sentence for the caller; contains no secret, path or SQL. */
  readonly detail: string;
  readonly fields: FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ProblemCode, detail: string, { fields, retryAfterMs, cause }: ProblemOptions = {}) {
    super(detail, { cause });
    this.code = code;
    this.detail = detail;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Maximum number of fields that a problem names: a body of 1 MB can have 100,000 invalid ones. */
const MAX_FIELDS = 100;
const MAX_PATH_LENGTH = 200;

/** Returns 400 `invalid_request` for several fields, and names the first 100. */
export function invalidFields(invalid: readonly FieldError[]): Problem {
  const fields = invalid
    .slice(0, MAX_FIELDS)
    .map(({ path, message }) => ({ path: shortened(path), message }));
  const texts = fields.map(({ path, message }) => `${path}: ${message}`);
  if (invalid.length > MAX_FIELDS) texts.push(`and ${invalid.length - MAX_FIELDS} more`);
  return new Problem('invalid_request', texts.join('; '), { fields });
}

function shortened(path: string): string {
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH).toWellFormed()}…`;
}

/** Returns 400 `invalid_request` for one field. */
export function invalidField(path: string, message: string): Problem {
  return invalidFields([{ path, message }]);
}

/** Shared by all requests, since creating an error costs more than a lookup that finds nothing. */
const NOT_FOUND = new Problem('not_found', 'The resource does not exist, or you have no access to it.');

/** Returns the only 404: missing resources and resources of other owners look the same. */
export const notFound = (): Problem => NOT_FOUND;

/** Returns 429 with the time to wait. */
export function tooMany(
  code: 'rate_limited' | 'too_many_attempts',
  detail: string,
  retryAfterMs: number,
): Problem {
  return new Problem(code, detail, { retryAfterMs });
}
