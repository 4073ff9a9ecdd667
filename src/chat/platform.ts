import { RateLimitError, REST, type RequestData } from '@discordjs/rest';
import { SECOND } from '../kernel/clock.ts';
import { withoutSecrets } from '../kernel/log.ts';
import { VERSION } from '../version.ts';

/** How a call failed. */
export type Trouble =
  /** Not sent: the bucket is known to be empty. */
  | { kind: 'exhausted'; retryAfterMs: number }
  /** 429. A `shared` limit is the resource's, not ours (https://discord.com/developers/docs/topics/rate-limits). */
  | { kind: 'limited'; retryAfterMs: number; scope: 'user' | 'global' | 'shared' }
  | { kind: 'unauthorized' | 'forbidden' | 'missing' | 'refused'; code: number | null }
  /** No answer, 5xx, or an answer that is not the platform's. */
  | { kind: 'trouble' };

/** A call that failed; its message is for people and holds nothing of the request. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly trouble: Trouble;
  constructor(trouble: Trouble, message: string) {
    super(withoutSecrets(message).slice(0, LONGEST_REASON));
    this.trouble = trouble;
  }
}

/** Calls of one bot. The library keeps the buckets; it neither waits nor repeats. */
export interface Bot {
  /** @throws PlatformError */
  call(method: 'GET' | 'POST' | 'PATCH', route: `/${string}`, options?: { body?: unknown; signal?: AbortSignal }): Promise<unknown>;
}

/** Gives the bot of a token, the same for the same token. */
export type Platform = (token: string) => Bot;

/** The most that `patiently` waits for one call, and how often. */
const LONGEST_PATIENCE_MS = 2 * SECOND;
const PATIENCE = 3;

/** For questions that somebody waits for: when the bucket will soon be filled again, waits instead of failing. */
export function patiently(bot: Bot): Bot {
  return {
    async call(...parameters) {
      for (let waits = 0; ; waits++) {
        try {
          return await bot.call(...parameters);
        } catch (error) {
          const trouble = error instanceof PlatformError ? error.trouble : null;
          if (trouble?.kind !== 'exhausted' || trouble.retryAfterMs > LONGEST_PATIENCE_MS || waits === PATIENCE) throw error;
          await Bun.sleep(trouble.retryAfterMs);
        }
      }
    },
  };
}

const LONGEST_REASON = 500;
const TIMEOUT_MS = 15 * SECOND;
/** Cloudflare's own 429 may name no time. */
const UNNAMED_RETRY_MS = 60 * SECOND;

/**
 * @param apiUrl of the platform, with or without a version at its end
 * @param onInvalid called for each answer that the platform counts as an invalid request
 */
export function createPlatform(apiUrl: string, onInvalid: () => void): Platform {
  const versioned = /^(.*)\/v(\d+)$/.exec(apiUrl);
  const [api, version] = versioned ? [versioned[1] ?? apiUrl, versioned[2] ?? '10'] : [apiUrl, '10'];
  const bots = new Map<string, Bot>();
  return (token) => {
    const known = bots.get(token);
    if (known) return known;
    const bot = createBot({ token, api, version, onInvalid });
    bots.set(token, bot);
    return bot;
  };
}

function createBot({ token, api, version, onInvalid }: { token: string; api: string; version: string; onInvalid: () => void }): Bot {
  const rest = new REST({
    api,
    version,
    retries: 0,
    timeout: TIMEOUT_MS,
    rejectOnRateLimit: () => true,
    userAgentAppendix: `Posthouse/${VERSION}`,
    makeRequest: async (url, init) => {
      // The whole body is read here, since the library's time limit ends with this call.
      const answer = await fetch(url, { ...(init as RequestInit), redirect: 'manual' });
      const body = await answer.arrayBuffer();
      if (!answer.ok) throw failureOf(answer, new TextDecoder().decode(body).replaceAll(token, '[hidden]'), onInvalid);
      return new Response(body, { status: answer.status, headers: answer.headers }) as never;
    },
  }).setToken(token);

  return {
    async call(method, route, { body, signal } = {}) {
      const options: RequestData = { body, signal };
      try {
        if (method === 'GET') return await rest.get(route, options);
        return await (method === 'POST' ? rest.post(route, options) : rest.patch(route, options));
      } catch (error) {
        throw asPlatformError(error);
      }
    },
  };
}

function asPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RateLimitError) {
    return new PlatformError({ kind: 'exhausted', retryAfterMs: Math.max(0, error.timeToReset) }, 'The platform’s rate limit is used up.');
  }
  // What the runtime says of a broken connection may hold the address, which may hold a user and password.
  const timedOut = error instanceof Error && error.name === 'AbortError';
  return new PlatformError({ kind: 'trouble' }, timedOut ? 'The platform did not answer in time.' : 'The platform could not be reached.');
}

interface ErrorBody {
  message?: unknown;
  code?: unknown;
  errors?: unknown;
  retry_after?: unknown;
  global?: unknown;
}

/** @param text the answer's body, without the token, which a careless platform may repeat */
function failureOf(answer: Response, text: string, onInvalid: () => void): PlatformError {
  const { status, headers } = answer;
  const body = readErrorBody(text);
  const message = body ? messageOf(body) : `HTTP ${status}`;
  if (status === 429) {
    const named = Number(body?.retry_after ?? headers.get('Retry-After') ?? Number.NaN);
    const retryAfterMs = Number.isFinite(named) ? Math.ceil(named * 1000) : UNNAMED_RETRY_MS;
    const named429 = headers.get('X-RateLimit-Scope');
    const global = body === null || body.global === true || headers.has('X-RateLimit-Global') || named429 === 'global';
    const scope = global ? 'global' : named429 === 'shared' ? 'shared' : 'user';
    if (scope !== 'shared') onInvalid();
    return new PlatformError({ kind: 'limited', retryAfterMs, scope }, message);
  }
  if (status === 401 || status === 403) onInvalid();
  // A page of a proxy in between says nothing of the target.
  if (body === null || status < 400 || status >= 500 || status === 408) return new PlatformError({ kind: 'trouble' }, message);
  const code = typeof body.code === 'number' ? body.code : null;
  const kind = status === 401 ? 'unauthorized' : status === 403 ? 'forbidden' : status === 404 ? 'missing' : 'refused';
  return new PlatformError({ kind, code }, message);
}

function readErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : null;
  } catch {
    return null;
  }
}

/** The platform's sentence, and for each wrong field its own (https://discord.com/developers/docs/reference#error-messages). */
function messageOf({ message, errors }: ErrorBody): string {
  const details: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || details.length >= 10) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '_errors' && Array.isArray(inner)) {
        for (const each of inner as { message?: unknown }[]) details.push(`${path}: ${String(each?.message ?? '')}`);
      } else walk(inner, path ? `${path}.${key}` : key);
    }
  };
  walk(errors, '');
  return [typeof message === 'string' ? message : 'The platform gave no reason.', ...details].join(' ');
}
