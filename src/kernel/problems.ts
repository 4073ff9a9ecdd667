import type { ProblemTable } from './problem.ts';

/** Error codes of every service. A published code keeps its meaning. */
// biome-ignore format: one or two lines per code
export const kernelProblems = {
  invalid_request: { status: 400, title: 'Invalid request', de: 'Ungültige Anfrage',
    remedy: 'Correct the fields listed in `errors`.' },
  not_found: { status: 404, title: 'Not found', de: 'Nicht gefunden',
    remedy: 'Check the address, and that you are signed in as the owner: those of others are reported as not found.' },
  method_not_allowed: { status: 405, title: 'Method not allowed', de: 'Methode nicht erlaubt',
    remedy: 'Use one of the methods in the header `Allow`.' },
  name_taken: { status: 409, title: 'Name already in use', de: 'Name schon vergeben',
    remedy: 'Choose another name. Names of folders are compared without regard to case.' },
  limit_reached: { status: 409, title: 'Limit reached', de: 'Grenze erreicht',
    remedy: 'Delete entries that are no longer needed, or wait until some expire.' },
  idempotency_conflict: { status: 409, title: 'Idempotency key reused', de: 'Idempotenzschlüssel schon benutzt',
    remedy: 'Use a new `Idempotency-Key` for every message; reuse a key only to repeat the same request.' },
  not_cancellable: { status: 409, title: 'Message not cancellable', de: 'Nachricht nicht abbrechbar',
    remedy: 'The message is being delivered or has reached an end state.' },
  precondition_failed: { status: 412, title: 'Precondition failed', de: 'Vorbedingung nicht erfüllt',
    remedy: 'The resource has changed since the tag or date in `If-Match` or `If-Unmodified-Since`. Load it again.' },
  body_too_large: { status: 413, title: 'Body too large', de: 'Anfrage zu groß',
    remedy: 'Send a smaller body; `detail` has the limit.' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', de: 'Medientyp nicht unterstützt',
    remedy: 'Send the body as one of the media types listed in `detail`, and set `Content-Type`.' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable', de: 'Bereich nicht erfüllbar',
    remedy: 'Request a range within the size given in `Content-Range`.' },
  too_many_attempts: { status: 429, title: 'Too many wrong attempts', de: 'Zu viele Fehlversuche',
    remedy: 'Wait for the number of seconds in `Retry-After`.' },
  rate_limited: { status: 429, title: 'Rate limit exceeded', de: 'Zu viele Anfragen',
    remedy: 'Wait for the number of seconds in `Retry-After`, and send less often.' },
  internal_error: { status: 500, title: 'Internal error', de: 'Interner Fehler',
    remedy: 'Try again later. Report the `requestId` to the operator: the log has the cause under it.' },
  platform_rejected: { status: 502, title: 'Rejected by the platform', de: 'Von der Plattform abgelehnt',
    remedy: 'Correct what the platform reports in `detail`. The message is not sent again automatically.' },
  unavailable: { status: 503, title: 'Temporarily unavailable', de: 'Vorübergehend nicht verfügbar',
    remedy: 'Wait for the number of seconds in `Retry-After`, then repeat the request.' },
  storage_full: { status: 507, title: 'Server storage full', de: 'Speicher des Servers voll',
    remedy: 'Report it to the operator, who must free disk space. Nothing was stored: repeat the request then.' },
} as const satisfies ProblemTable;

declare module './problem.ts' {
  interface ProblemCodes extends Record<keyof typeof kernelProblems, unknown> {}
}
