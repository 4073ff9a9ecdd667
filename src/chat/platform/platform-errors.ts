import { RESTJSONErrorCodes } from 'discord-api-types/rest/v10';
import { MINUTE, SECOND } from '../../kernel/clock.ts';
import { reasonFrom } from '../../kernel/outbox/message.ts';
import { withoutSecrets } from '../../kernel/without-secrets.ts';

/** How a call failed. */
export type Failure =
  /** Not sent: the rate limit's bucket is known to be empty. */
  | { kind: 'exhausted'; retryAfterMs: number }
  /** 429. A `shared` limit is the resource's, not ours (https://discord.com/developers/docs/topics/rate-limits). */
  | { kind: 'limited'; retryAfterMs: number; scope: 'user' | 'global' | 'shared' }
  | { kind: RefusalKind; code: number | null }
  /** A 2xx response that is not as documented. */
  | { kind: 'incompatible' }
  /** No response, 5xx, or an error that is not the platform's. */
  | { kind: 'unavailable' };

/** A call that failed. Its message is for people, and does not quote the request. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly failure: Failure;
  constructor(failure: Failure, message: string) {
    super(reasonFrom(withoutSecrets(message)));
    this.failure = failure;
  }
}

export const noResponse = () =>
  new PlatformError({ kind: 'unavailable' }, 'The platform did not respond in time.');

/** Delay after a 429 that specifies none, such as some responses of Cloudflare. */
const DEFAULT_RETRY_MS = 60 * SECOND;
/** Maximum delay. No call is made before its end, so a wrong delay would not be corrected earlier. */
export const MAX_RETRY_MS = 15 * MINUTE;

interface ErrorBody {
  message?: unknown;
  code?: unknown;
  errors?: unknown;
  retry_after?: unknown;
  global?: unknown;
}

/**
 * Returns the error of a response that is not 2xx.
 * @param text the body, from which the caller has removed the token: a platform may repeat it
 * @param onInvalid called when the platform counts the response as an invalid request
 */
export function platformErrorOf(
  { status, headers }: Response,
  text: string,
  onInvalid: () => void,
): PlatformError {
  const body = readErrorBody(text);
  const failure = status === 429 ? limitOf(headers, body) : failureOf(status, body);
  const isInvalid =
    status === 401 || status === 403 || (failure.kind === 'limited' && failure.scope !== 'shared');
  if (isInvalid) onInvalid();
  return new PlatformError(failure, body ? messageOf(body) : `HTTP ${status}`);
}

/** Returns a delay of the platform in ms, at most 15 minutes; null = none, or not a number. */
export function delayOf(delay: unknown): number | null {
  const seconds = Number(delay ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds * SECOND)), MAX_RETRY_MS) : null;
}

function limitOf(headers: Headers, body: ErrorBody | null): Failure {
  const retryAfterMs = delayOf(body?.retry_after ?? headers.get('Retry-After')) ?? DEFAULT_RETRY_MS;
  return { kind: 'limited', retryAfterMs, scope: scopeOf(headers, body) };
}

function scopeOf(headers: Headers, body: ErrorBody | null): 'user' | 'global' | 'shared' {
  const scope = headers.get('X-RateLimit-Scope');
  const isGlobal = body === null || body.global === true || headers.has('X-RateLimit-Global');
  if (isGlobal || scope === 'global') return 'global';
  return scope === 'shared' ? 'shared' : 'user';
}

type RefusalKind = 'unauthorized' | 'forbidden' | 'missing' | 'refused';

/**
 * Kinds by the platform's error code, which takes precedence over the status: compatible servers send most codes with
 * status 400. `refused` = the message is at fault, not the channel: the message was deleted, or another bot wrote it.
 */
const KIND_OF_CODE: Readonly<Record<number, RefusalKind>> = {
  [RESTJSONErrorCodes.UnknownChannel]: 'missing',
  [RESTJSONErrorCodes.UnknownGuild]: 'missing',
  [RESTJSONErrorCodes.UnknownMember]: 'missing',
  [RESTJSONErrorCodes.UnknownMessage]: 'refused',
  [RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser]: 'refused',
  [RESTJSONErrorCodes.Unauthorized]: 'unauthorized',
  [RESTJSONErrorCodes.InvalidToken]: 'unauthorized',
  [RESTJSONErrorCodes.MissingAccess]: 'forbidden',
  [RESTJSONErrorCodes.MissingPermissions]: 'forbidden',
};

const KIND_OF_STATUS: Readonly<Record<number, RefusalKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
};

function failureOf(status: number, body: ErrorBody | null): Failure {
  // The page of an intermediate proxy says nothing about the target.
  if (body === null || status < 400) return { kind: 'unavailable' };
  const code = typeof body.code === 'number' ? body.code : null;
  const kind = code === null ? undefined : KIND_OF_CODE[code];
  if (kind) return { kind, code };
  if (status >= 500 || status === 408) return { kind: 'unavailable' };
  return { kind: KIND_OF_STATUS[status] ?? 'refused', code };
}

function readErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : null;
  } catch {
    return null;
  }
}

/** Limits of the details in a message, of which 500 characters are kept. */
const MAX_DETAILS = 10;
const MAX_MESSAGE_LENGTH = 5_000;
/** Discord's own details have half as many levels. */
const DEEPEST = 20;

/**
 * Returns the platform's message, with one for each wrong field
 * (https://discord.com/developers/docs/reference#error-messages).
 */
function messageOf({ message, errors }: ErrorBody): string {
  const reason = typeof message === 'string' ? message : 'The platform gave no reason.';
  return [reason, ...detailsIn(errors, []).take(MAX_DETAILS)].join(' ').slice(0, MAX_MESSAGE_LENGTH);
}

function* detailsIn(value: unknown, path: readonly string[]): Generator<string> {
  if (typeof value !== 'object' || value === null || path.length > DEEPEST) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '_errors' && Array.isArray(inner))
      for (const { message } of inner.filter(Boolean) as { message?: unknown }[])
        yield `${path.join('.')}: ${typeof message === 'string' ? message : ''}`;
    else yield* detailsIn(inner, [...path, key]);
  }
}
