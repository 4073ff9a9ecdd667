import type { ProblemTable } from './problem.ts';

/** Error codes of every service. A published code keeps its meaning. */
// biome-ignore format: one or two lines per code
export const kernelProblems = {
  invalid_request: { status: 400, title: 'Invalid request',
    remedy: 'Correct the fields listed in `errors`.' },
  not_found: { status: 404, title: 'Not found',
    remedy: 'Check the address, and that you are signed in as the owner: those of others are reported as not found.' },
  method_not_allowed: { status: 405, title: 'Method not allowed',
    remedy: 'Use one of the methods in the header `Allow`.' },
  name_taken: { status: 409, title: 'Name already in use',
    remedy: 'Choose another name. Names of folders are compared without regard to case.' },
  limit_reached: { status: 409, title: 'Limit reached',
    remedy: 'Delete entries that are no longer needed, or wait until some expire.' },
  idempotency_conflict: { status: 409, title: 'Idempotency key reused',
    remedy: 'Use a new `Idempotency-Key` for every message; reuse a key only to repeat the same request.' },
  not_cancellable: { status: 409, title: 'Message not cancellable',
    remedy: 'The message is being delivered or has reached an end state.' },
  precondition_failed: { status: 412, title: 'Precondition failed',
    remedy: 'The resource has changed since the tag or date in `If-Match` or `If-Unmodified-Since`. Load it again.' },
  body_too_large: { status: 413, title: 'Body too large',
    remedy: 'Send a smaller body; `detail` has the limit.' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type',
    remedy: 'Send the body as one of the media types listed in `detail`, and set `Content-Type`.' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable',
    remedy: 'Request a range within the size given in `Content-Range`.' },
  too_many_attempts: { status: 429, title: 'Too many wrong attempts',
    remedy: 'Wait for the number of seconds in `Retry-After`.' },
  rate_limited: { status: 429, title: 'Rate limit exceeded',
    remedy: 'Wait for the number of seconds in `Retry-After`, and send less often.' },
  internal_error: { status: 500, title: 'Internal error',
    remedy: 'Try again later. Report the `requestId` to the operator: the log has the cause under it.' },
  platform_rejected: { status: 502, title: 'Rejected by the platform',
    remedy: 'Correct what the platform reports in `detail`. The message is not sent again automatically.' },
  unavailable: { status: 503, title: 'Temporarily unavailable',
    remedy: 'Wait for the number of seconds in `Retry-After`, then repeat the request.' },
  storage_full: { status: 507, title: 'Server storage full',
    remedy: 'Report it to the operator, who must free disk space. Nothing was stored: repeat the request then.' },
} as const satisfies ProblemTable;

declare module './problem.ts' {
  interface ProblemCodes extends Record<keyof typeof kernelProblems, unknown> {}
}
