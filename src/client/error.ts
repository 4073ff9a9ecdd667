import type { components } from './schema.d.ts';

/** Identifies a problem; `/docs/errors` of a server lists the codes. */
export type ProblemCode = components['schemas']['Problem']['code'];

/**
 * `unreachable`: no response. `unknown`: a response that is not the server's, such as a proxy's page. `file_changed`:
 * the file can no longer be read, or is not the one whose upload is resumed.
 */
export type ErrorCode = ProblemCode | 'unreachable' | 'unknown' | 'file_changed';

export interface FieldError {
  /** Dotted path of the field (`fields.0.name`), or the name of a parameter or header field. */
  path: string;
  message: string;
}

interface ErrorFacts {
  status: number;
  code: ErrorCode;
  detail: string;
  errors?: FieldError[];
  requestId?: string;
  retryAfterMs?: number | null;
}

/** An error response of the server (RFC 9457), or an error without a response (`status` 0). */
export class PosthouseError extends Error {
  override readonly name = 'PosthouseError';
  /** HTTP status; 0 = the error is not that of a response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The invalid fields; empty for other problems. */
  readonly errors: readonly FieldError[];
  /** Id of the request in the log of the server; null = the server did not respond. */
  readonly requestId: string | null;
  /** Milliseconds to wait before a retry; null = not specified. */
  readonly retryAfterMs: number | null;

  constructor({ status, code, detail, errors = [], requestId, retryAfterMs = null }: ErrorFacts) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Returns the error for a request without a response. */
export function unreachable(): PosthouseError {
  return new PosthouseError({ status: 0, code: 'unreachable', detail: 'The server cannot be reached.' });
}

/** Returns the error for a file that cannot be uploaded, or whose upload cannot be resumed. */
export function fileChanged(detail: string): PosthouseError {
  return new PosthouseError({ status: 0, code: 'file_changed', detail });
}

/** Returns the error for a successful response without the expected JSON, which is therefore not from the server. */
export function foreign(): PosthouseError {
  const detail = 'The response is not the expected JSON; it may be a page of a proxy.';
  return new PosthouseError({ status: 200, code: 'unknown', detail });
}

/** Reads an error response from its status and body. */
export function errorOf(status: number, text: string, retryAfterMs: number | null = null): PosthouseError {
  try {
    const problem = JSON.parse(text) as ErrorFacts;
    if (typeof problem.code === 'string') return new PosthouseError({ ...problem, status, retryAfterMs });
  } catch {
    // Not a problem document.
  }
  const detail = `The server responded with status ${status}.`;
  return new PosthouseError({ status, code: 'unknown', detail, retryAfterMs });
}

/** Returns the milliseconds in a `Retry-After` header (RFC 9110 §10.2.3: seconds or a date); null = none. */
export function retryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
