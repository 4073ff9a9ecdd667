import { newId } from '../ids.ts';
import { IGNORED_FIELDS, ignoredFields } from './ignored-fields.ts';
import { addVary } from './vary.ts';

/** Default header fields of every response. */
const DEFAULTS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};
/** Content-Security-Policy of bytes that users uploaded or wrote: they run no script and load nothing. */
export const SANDBOX_POLICY = "default-src 'none'; sandbox";
const REQUEST_ID = 'X-Request-Id';

/**
 * Returns header fields and the defaults, for use in many responses: a `Response` copies them in a third of the time of
 * adding them one by one.
 */
export function withDefaults(fields: Readonly<Record<string, string>>): Headers {
  return new Headers({ ...DEFAULTS, ...fields, [REQUEST_ID]: '' });
}

/** Returns a text as the response to a request that no route receives. */
export function plainResponse(
  status: number,
  text: string,
  fields: Readonly<Record<string, string>>,
): Response {
  const headers = withDefaults({ 'Content-Type': 'text/plain', ...fields });
  headers.set(REQUEST_ID, newId());
  return new Response(`${text}\n`, { status, headers });
}

interface Answered {
  requestId: string;
  /** Header fields of the response, a refusal included. */
  added?: Readonly<Record<string, string>> | undefined;
  /** Paths of the ignored fields of the request. */
  ignored?: readonly string[] | undefined;
}

/** Adds the header fields of every response. */
export function addCommonHeaders(
  headers: Headers,
  { requestId, added, ignored }: Answered,
  secure: boolean,
): void {
  // Otherwise `withDefaults` has added them.
  if (!headers.has(REQUEST_ID))
    for (const name in DEFAULTS) if (!headers.has(name)) headers.set(name, DEFAULTS[name] ?? '');
  headers.set(REQUEST_ID, requestId);
  // Browsers get the errors of these addresses as pages.
  if (headers.get('Content-Type') === 'application/json')
    for (const name of ['Accept', 'Sec-Fetch-Dest']) addVary(headers, name);
  if (secure) headers.set('Strict-Transport-Security', 'max-age=31536000');
  if (ignored && ignored.length > 0) headers.set(IGNORED_FIELDS, ignoredFields(ignored));
  for (const name in added) headers.set(name, added[name] ?? '');
}
