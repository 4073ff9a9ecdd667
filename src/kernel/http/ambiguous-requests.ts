import { createCache } from '../cache.ts';
import type { FieldError, Problem, ProblemCode } from '../problem.ts';
import { HttpProblem } from './problems/problems.ts';

/** `uri-host [":" port]` (RFC 9110 §7.2), without the comma that joins several fields, and with ASCII names only. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

const CODING = 'Transfer-Encoding';

/** Number of valid hosts that are remembered; nearly all requests have the same one. */
const KEPT = 100;

/**
 * Creates a check for requests whose host or length an intermediate proxy may have read differently: with
 * several `Host` fields or an invalid one (RFC 9112 §3.2), with an unknown transfer coding (§6.1), or with
 * codings that do not end with `chunked` (§6.3). It returns the problem of such a request, after which the
 * connection is closed, since the next request could be part of the body; null for all other requests.
 */
export function createAmbiguityCheck(): (headers: Headers) => Problem | null {
  const valid = createCache<true>({ max: KEPT });

  function isValid(host: string): boolean {
    if (valid.has(host)) return true;
    if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return false;
    valid.set(host, true);
    return true;
  }

  return (headers) => {
    const host = headers.get('Host');
    if (host && !isValid(host)) return refusal('invalid_request', 'Host', 'must be given once, and be valid');
    const coding = headers.get(CODING);
    if (coding === null || coding.toLowerCase() === 'chunked') return null;
    const codings = coding.split(',').map((each) => each.trim().toLowerCase());
    return codings.at(-1) === 'chunked' && !codings.includes('')
      ? refusal('not_implemented', CODING, 'must be chunked, without other codings')
      : refusal('invalid_request', CODING, 'must end with chunked');
  };
}

function refusal(code: ProblemCode, path: string, message: string): Problem {
  const fields: FieldError[] = [{ path, message }];
  return new HttpProblem(code, `${path}: ${message}`, { fields, headers: { Connection: 'close' } });
}
